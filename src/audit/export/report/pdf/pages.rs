//! Pages as they are filled from the top, and the order in which they are read aloud.

use krilla::tagging::TagKind;

use super::faces::{Face, Faces, Kind};
use super::wrap::Line;

/// Empty space around a page's content, in points.
pub const MARGIN: f32 = 48.0;
/// A4, in points.
const SHORT: f32 = 595.28;
const LONG: f32 = 841.89;

/// Colours of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Words.
    Black,
    /// Words beside others.
    Soft,
    /// What is sound.
    Good,
    /// What nobody may overlook.
    Bad,
    /// Bars.
    Bar,
    /// Rules between rows.
    Rule,
}

/// Something drawn.
pub enum Draw {
    /// A line of text; `y` is its base line.
    Line {
        /// From the left.
        x: f32,
        /// From the top.
        y: f32,
        /// The size.
        size: f32,
        /// The colour.
        ink: Ink,
        /// The text.
        line: Line,
    },
    /// A filled rectangle.
    Rect {
        /// Left, top, width, height.
        at: [f32; 4],
        /// The colour.
        ink: Ink,
    },
}

/// Things drawn together: a leaf of the order of reading, or none of it.
pub struct Drawn {
    /// The leaf's number; `None` for what only decorates.
    pub leaf: Option<usize>,
    /// What is drawn.
    pub draws: Vec<Draw>,
}

/// A page.
pub struct Page {
    /// Its width.
    pub width: f32,
    /// Its height.
    pub height: f32,
    /// What stands on it.
    pub drawn: Vec<Drawn>,
}

/// The order of reading.
pub enum Tree {
    /// A part with parts of its own.
    Group(TagKind, Vec<Tree>),
    /// What is drawn under this number.
    Leaf(usize),
}

/// A place that a bookmark leads to.
pub struct Mark {
    /// The page, from 0.
    pub page: usize,
    /// From its top.
    pub y: f32,
    /// What it says.
    pub words: String,
}

/// The pages so far.
pub struct Pages<'a> {
    /// The fonts.
    pub faces: &'a Faces,
    /// The pages.
    pub pages: Vec<Page>,
    /// Bookmarks.
    pub marks: Vec<Mark>,
    /// The order of reading.
    pub tree: Vec<Tree>,
    /// Leaves so far.
    pub leaves: usize,
    /// Where the next thing goes, from the top.
    pub y: f32,
}

impl<'a> Pages<'a> {
    /// One empty page.
    pub fn new(faces: &'a Faces) -> Self {
        let mut pages = Self {
            faces,
            pages: Vec::new(),
            marks: Vec::new(),
            tree: Vec::new(),
            leaves: 0,
            y: MARGIN,
        };
        pages.begin(false);
        pages
    }

    /// A font.
    pub fn face(&self, kind: Kind) -> &Face {
        self.faces.get(kind)
    }

    /// Begins a page, lying if it is wide.
    pub fn begin(&mut self, wide: bool) {
        let (width, height) = if wide { (LONG, SHORT) } else { (SHORT, LONG) };
        self.pages.push(Page {
            width,
            height,
            drawn: Vec::new(),
        });
        self.y = MARGIN;
    }

    /// Whether the page lies.
    pub fn is_wide(&self) -> bool {
        self.pages
            .last()
            .is_some_and(|page| page.width > page.height)
    }

    /// Makes sure that the page is of this kind.
    pub fn turn(&mut self, wide: bool) {
        if self.is_wide() != wide {
            self.begin(wide);
        }
    }

    /// Points between the margins.
    pub fn width(&self) -> f32 {
        self.pages.last().map_or(0.0, |page| page.width) - 2.0 * MARGIN
    }

    /// Points left above the lower margin.
    pub fn room(&self) -> f32 {
        self.pages.last().map_or(0.0, |page| page.height) - MARGIN - self.y
    }

    /// Points of an empty page.
    pub fn whole_room(&self) -> f32 {
        self.pages.last().map_or(0.0, |page| page.height) - 2.0 * MARGIN
    }

    /// Goes on to the next page of the same kind, unless there are so many points left.
    pub fn need(&mut self, points: f32) {
        if self.room() < points {
            self.begin(self.is_wide());
        }
    }

    /// Draws a leaf; gives its place in the order of reading.
    pub fn leaf(&mut self, draws: Vec<Draw>) -> Tree {
        let leaf = self.leaves;
        self.leaves += 1;
        self.put(Some(leaf), draws);
        Tree::Leaf(leaf)
    }

    /// Draws what only decorates.
    pub fn decorate(&mut self, draws: Vec<Draw>) {
        self.put(None, draws);
    }

    fn put(&mut self, leaf: Option<usize>, draws: Vec<Draw>) {
        if let Some(page) = self.pages.last_mut() {
            page.drawn.push(Drawn { leaf, draws });
        }
    }

    /// Notes a bookmark to where the next thing goes.
    pub fn mark(&mut self, words: &str) {
        self.marks.push(Mark {
            page: self.pages.len().saturating_sub(1),
            y: self.y,
            words: words.to_owned(),
        });
    }
}
