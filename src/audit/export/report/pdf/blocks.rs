//! The report's blocks, laid out on pages.
//!
//! What is drawn and the order in which it is read are made together, so that a screen reader hears
//! what is seen. Columns' names that are repeated on a page are for the eye alone.

use std::num::NonZeroU16;

use krilla::tagging::{ListNumbering, TableHeaderScope, Tag, TagKind};

use super::faces::Kind;
use super::pages::{Draw, Ink, MARGIN, Pages, Tree};
use super::wrap::{self, Line};
use crate::audit::export::report::document::{
    BAR_BEGIN, BAR_HEIGHT, Block, CHART_WIDTH, Chart, Document, Table, Text, plain,
};
use crate::messages::Lang;

const TEXT: f32 = 9.5;
const SMALL: f32 = 7.5;
const CODE: f32 = 7.0;
/// A line's height to its size.
const LEADING: f32 = 1.4;
/// A base line's distance from the line's top, to its size.
const ASCENT: f32 = 1.05;
/// Space between columns, and left of a list's text.
const GAP: f32 = 6.0;
const INDENT: f32 = 18.0;
/// The names' share of a list of facts.
const NAMES: f32 = 130.0;
/// More columns than these need a page that lies.
const UPRIGHT_COLUMNS: usize = 7;

/// How a text is set.
#[derive(Clone, Copy)]
struct Look {
    kind: Kind,
    size: f32,
    ink: Ink,
}

const BODY: Look = Look {
    kind: Kind::Regular,
    size: TEXT,
    ink: Ink::Black,
};

impl Look {
    fn bold(size: f32, ink: Ink) -> Self {
        Self {
            kind: Kind::Bold,
            size,
            ink,
        }
    }

    fn height(self) -> f32 {
        self.size * LEADING
    }
}

/// The whole document.
pub fn whole(pages: &mut Pages<'_>, document: &Document) {
    let title = heading(pages, &document.title, 1, 18.0);
    let lead = paragraph(pages, &plain(&document.lead), BODY);
    pages.tree.extend([title, lead]);
    for section in &document.sections {
        let is_wide = |block: &Block| matches!(block, Block::Table(table) if table.columns.len() > UPRIGHT_COLUMNS);
        pages.turn(section.blocks.iter().any(is_wide));
        pages.y += 10.0;
        pages.need(60.0);
        pages.mark(&section.title);
        let mut parts = vec![heading(pages, &section.title, 2, 13.0)];
        for part in &section.blocks {
            parts.extend(block(pages, part, document.lang));
        }
        pages.tree.push(group(Tag::Section, parts));
    }
}

/// A part of the order of reading.
fn group(tag: impl Into<TagKind>, parts: Vec<Tree>) -> Tree {
    Tree::Group(tag.into(), parts)
}

/// A block, whatever its kind.
fn block(pages: &mut Pages<'_>, block: &Block, lang: Lang) -> Vec<Tree> {
    match block {
        Block::Heading(words) => vec![heading(pages, words, 3, 10.5)],
        Block::Text(text) => vec![paragraph(pages, text, BODY)],
        Block::Verdict { sound, text } => {
            let ink = if *sound { Ink::Good } else { Ink::Bad };
            vec![paragraph(pages, text, Look::bold(11.5, ink))]
        }
        Block::Alarm(text) => vec![paragraph(pages, text, Look::bold(TEXT, Ink::Bad))],
        Block::Facts(facts) => vec![list(
            pages,
            ListNumbering::None,
            facts.iter().map(|(name, text)| (name.clone(), text)),
            NAMES,
        )],
        Block::Steps(steps) => {
            let steps = steps.iter().enumerate();
            let steps = steps.map(|(at, text)| (format!("{}.", at + 1), text));
            vec![list(pages, ListNumbering::Decimal, steps, INDENT)]
        }
        Block::Points(points) => {
            let points = points.iter().map(|text| ("•".to_owned(), text));
            vec![list(pages, ListNumbering::Disc, points, INDENT)]
        }
        Block::Code(lines) => vec![code(pages, lines)],
        Block::Table(rows) => table(pages, rows),
        Block::Chart(bars) => chart(pages, bars, lang),
    }
}

/// Never alone at the foot of a page.
fn heading(pages: &mut Pages<'_>, words: &str, level: u16, size: f32) -> Tree {
    pages.need(size * LEADING + 3.0 * TEXT);
    let level = NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
    let look = Look::bold(size, Ink::Black);
    let width = pages.width();
    let parts = flow(pages, &plain(words), look, 0.0, width);
    pages.y += 3.0;
    group(Tag::Hn(level, Some(words.to_owned())), parts)
}

/// A text over the whole width.
fn paragraph(pages: &mut Pages<'_>, text: &Text, look: Look) -> Tree {
    let width = pages.width();
    let parts = flow(pages, text, look, 0.0, width);
    pages.y += 5.0;
    group(Tag::P, parts)
}

/// Lines from here on, over as many pages as they take.
fn flow(pages: &mut Pages<'_>, text: &Text, look: Look, left: f32, width: f32) -> Vec<Tree> {
    let lines = wrap::lines(pages.faces, text, look.kind, look.size, width - left);
    let mut parts = Vec::with_capacity(lines.len());
    for line in lines {
        pages.need(look.height());
        parts.push(put(pages, line, look, MARGIN + left));
        pages.y += look.height();
    }
    parts
}

/// A line here, as a leaf of its own.
fn put(pages: &mut Pages<'_>, line: Line, look: Look, x: f32) -> Tree {
    let y = pages.y;
    pages.leaf(vec![draw(line, look, x, y)])
}

/// A line whose top is at `y`.
fn draw(line: Line, look: Look, x: f32, y: f32) -> Draw {
    Draw::Line {
        x,
        y: y + look.size * ASCENT,
        size: look.size,
        ink: look.ink,
        line,
    }
}

/// Labels, and texts right of them.
fn list<'t>(
    pages: &mut Pages<'_>,
    numbering: ListNumbering,
    items: impl Iterator<Item = (String, &'t Text)>,
    indent: f32,
) -> Tree {
    let mut parts = Vec::new();
    let width = pages.width();
    for (label, text) in items {
        pages.need(BODY.height());
        let soft = Look {
            ink: Ink::Soft,
            ..BODY
        };
        let (top, first) = (pages.y, pages.pages.len());
        let label = flow(pages, &plain(label), soft, 0.0, indent - GAP);
        let (below, after) = (pages.y, pages.pages.len());
        if first == after {
            pages.y = top;
        }
        let body = flow(pages, text, BODY, indent, width);
        if pages.pages.len() == after {
            pages.y = pages.y.max(below);
        }
        pages.y += 2.0;
        let item = vec![group(Tag::Lbl, label), group(Tag::LBody, body)];
        parts.push(group(Tag::LI, item));
    }
    pages.y += 3.0;
    group(Tag::L(numbering), parts)
}

/// Lines as they are; empty ones take room and are not read out.
fn code(pages: &mut Pages<'_>, text: &str) -> Tree {
    let look = Look {
        kind: Kind::Mono,
        size: CODE,
        ink: Ink::Black,
    };
    let mut parts = Vec::new();
    for line in wrap::code(pages.faces, text, CODE, pages.width()) {
        pages.need(look.height());
        if !line.iter().all(|span| span.text.is_empty()) {
            parts.push(put(pages, line, look, MARGIN));
        }
        pages.y += look.height();
    }
    pages.y += 5.0;
    group(Tag::P, vec![group(Tag::Code, parts)])
}

/// Cells of a row as lines, by column.
type Cells = Vec<Vec<Line>>;

/// Caption, head and rows. Widths are shares, so that a table fits whatever page it is on.
fn table(pages: &mut Pages<'_>, table: &Table) -> Vec<Tree> {
    pages.need(6.0 * TEXT);
    let caption = paragraph(pages, &plain(&table.caption), Look::bold(TEXT, Ink::Black));
    let all: u32 = table
        .columns
        .iter()
        .map(|column| u32::from(column.share))
        .sum();
    let unit = pages.width() / all.max(1) as f32;
    let widths: Vec<f32> = table
        .columns
        .iter()
        .map(|column| f32::from(column.share) * unit)
        .collect();
    let head = Look::bold(SMALL, Ink::Soft);
    let cells = |pages: &Pages<'_>, texts: &[Text], look: Look| -> Cells {
        let cell = |(text, width): (&Text, &f32)| {
            wrap::lines(pages.faces, text, look.kind, look.size, width - GAP)
        };
        texts.iter().zip(&widths).map(cell).collect()
    };
    let names: Vec<Text> = table
        .columns
        .iter()
        .map(|column| plain(&column.name))
        .collect();
    let names = cells(pages, &names, head);
    let rows = Rows {
        table,
        widths: &widths,
        names: &names,
    };
    let titles = rows.row(pages, names.clone(), head, false);
    let titles = titles
        .into_iter()
        .map(|it| group(Tag::TH(TableHeaderScope::Column), it));
    let mut parts = vec![group(Tag::THead, vec![group(Tag::TR, titles.collect())])];
    let body = Look {
        size: SMALL,
        ..BODY
    };
    let mut bodies = Vec::with_capacity(table.rows.len());
    for texts in &table.rows {
        let cells = cells(pages, texts, body);
        let cells = rows.row(pages, cells, body, true);
        let cells = cells.into_iter().map(|it| group(Tag::TD, it));
        bodies.push(group(Tag::TR, cells.collect()));
    }
    parts.push(group(Tag::TBody, bodies));
    pages.y += 8.0;
    vec![caption, group(Tag::Table, parts)]
}

/// What each row of one table needs.
struct Rows<'t> {
    table: &'t Table,
    widths: &'t [f32],
    names: &'t Cells,
}

impl Rows<'_> {
    /// A row, on the next page if it fits only there, or over several; gives the leaves of each
    /// cell.
    fn row(
        &self,
        pages: &mut Pages<'_>,
        cells: Cells,
        look: Look,
        repeats: bool,
    ) -> Vec<Vec<Tree>> {
        let mut leaves: Vec<Vec<Tree>> = cells.iter().map(|_| Vec::new()).collect();
        let mut cells: Vec<_> = cells.into_iter().map(Vec::into_iter).collect();
        let left = |cells: &[std::vec::IntoIter<Line>]| {
            cells.iter().map(ExactSizeIterator::len).max().unwrap_or(0)
        };
        let height = left(&cells) as f32 * look.height();
        if height > pages.room() && height <= pages.whole_room() - 4.0 * look.height() {
            self.next_page(pages, repeats);
        }
        while left(&cells) > 0 {
            if pages.room() < look.height() {
                self.next_page(pages, repeats);
            }
            let mut x = MARGIN;
            for (at, cell) in cells.iter_mut().enumerate() {
                let width = self.widths.get(at).copied().unwrap_or_default();
                if let Some(line) = cell.next().filter(|line| !line.is_empty()) {
                    let x = x + self.indent(pages, at, &line, look, width);
                    leaves[at].push(put(pages, line, look, x));
                }
                x += width;
            }
            pages.y += look.height();
        }
        let at = [MARGIN, pages.y + 1.0, pages.width(), 0.5];
        pages.decorate(vec![Draw::Rect { at, ink: Ink::Rule }]);
        pages.y += 4.0;
        leaves
    }

    /// Numbers stand at the right of their column.
    fn indent(&self, pages: &Pages<'_>, at: usize, line: &Line, look: Look, width: f32) -> f32 {
        let number = self
            .table
            .columns
            .get(at)
            .is_some_and(|column| column.number);
        if !number {
            return 0.0;
        }
        let long = line
            .iter()
            .map(|span| pages.face(span.kind).width(&span.text));
        (width - GAP - long.sum::<f32>() * look.size).max(0.0)
    }

    /// A new page, with the columns' names again, for the eye alone.
    fn next_page(&self, pages: &mut Pages<'_>, repeats: bool) {
        pages.begin(pages.is_wide());
        if !repeats {
            return;
        }
        let head = Look::bold(SMALL, Ink::Soft);
        let (mut x, top) = (MARGIN, pages.y);
        let mut draws = Vec::new();
        for (name, width) in self.names.iter().zip(self.widths) {
            for (at, line) in name.iter().enumerate() {
                draws.push(draw(line.clone(), head, x, top + at as f32 * head.height()));
            }
            x += width;
        }
        let lines = self.names.iter().map(Vec::len).max().unwrap_or(0);
        pages.decorate(draws);
        pages.y = top + lines as f32 * head.height() + 4.0;
    }
}

/// A plot, said in words for whoever does not see it.
fn chart(pages: &mut Pages<'_>, chart: &Chart, lang: Lang) -> Vec<Tree> {
    let scale = (pages.width() / CHART_WIDTH as f32).min(0.7);
    pages.need((chart.height() as f32 * scale + 30.0).min(pages.whole_room()));
    let caption = paragraph(pages, &plain(&chart.caption), Look::bold(TEXT, Ink::Black));
    let look = Look {
        size: SMALL,
        ..BODY
    };
    let (mut draws, mut alt) = (Vec::new(), format!("{}: ", chart.caption));
    for (at, (label, value)) in chart.bars.iter().enumerate() {
        let top = pages.y + at as f32 * BAR_HEIGHT as f32 * scale;
        let begin = MARGIN + BAR_BEGIN as f32 * scale;
        let length = chart.length(value) as f32 * scale;
        let number = lang.number(value);
        alt += &format!("{label} {number}; ");
        let height = (BAR_HEIGHT - 6) as f32 * scale;
        draws.push(Draw::Rect {
            at: [begin, top + 2.0, length, height],
            ink: Ink::Bar,
        });
        for (x, words) in [(MARGIN, label.clone()), (begin + length + 4.0, number)] {
            let mut lines = wrap::lines(
                pages.faces,
                &plain(words),
                look.kind,
                look.size,
                pages.width(),
            );
            draws.push(draw(lines.swap_remove(0), look, x, top + 1.0));
        }
    }
    let leaf = pages.leaf(draws);
    pages.y += chart.height() as f32 * scale + 10.0;
    vec![caption, group(Tag::Figure(Some(alt)), vec![leaf])]
}
