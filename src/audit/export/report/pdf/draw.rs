//! Drawing the pages, and binding what is drawn to the order of reading.

use krilla::Document as Pdf;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag, TagGroup, TagTree,
};

use super::faces::{Faces, Kind};
use super::pages::{Draw, Drawn, Ink, MARGIN, Page, Pages, Tree};
use super::wrap::Span;
use crate::messages::Lang;

/// Size of the numbers of pages, in points.
const FOOT: f32 = 8.0;

/// Draws all pages; gives the order of reading.
pub fn all(pdf: &mut Pdf, faces: &Faces, pages: Pages<'_>, lang: Lang) -> Result<TagTree, String> {
    let count = pages.pages.len();
    let mut leaves: Vec<Option<Identifier>> = (0..pages.leaves).map(|_| None).collect();
    for (at, page) in pages.pages.iter().enumerate() {
        let settings =
            PageSettings::from_wh(page.width, page.height).ok_or("a page has no size")?;
        let mut sheet = pdf.start_page_with(settings);
        let mut surface = sheet.surface();
        for drawn in &page.drawn {
            let id = drawn_on(&mut surface, faces, drawn);
            if let Some(place) = drawn.leaf.and_then(|leaf| leaves.get_mut(leaf)) {
                *place = Some(id);
            }
        }
        foot(&mut surface, faces, page, lang, at + 1, count);
        surface.finish();
        sheet.finish();
    }
    let mut tree = TagTree::new().with_lang(Some(lang.code().to_owned()));
    for part in pages.tree {
        if let Some(node) = node(part, &mut leaves) {
            tree.push(node);
        }
    }
    Ok(tree)
}

/// The order of reading with the places of what was drawn; what was not drawn is left out.
fn node(tree: Tree, leaves: &mut [Option<Identifier>]) -> Option<Node> {
    match tree {
        Tree::Leaf(leaf) => leaves.get_mut(leaf)?.take().map(Node::from),
        Tree::Group(tag, parts) => {
            let parts = parts.into_iter().filter_map(|part| node(part, leaves));
            Some(Node::from(TagGroup::with_children(tag, parts.collect())))
        }
    }
}

/// Draws one leaf, or something that only decorates and is not read out.
fn drawn_on(surface: &mut Surface<'_>, faces: &Faces, drawn: &Drawn) -> Identifier {
    let tag = match drawn.leaf {
        Some(_) => ContentTag::Span(SpanTag::empty()),
        None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)),
    };
    let id = surface.start_tagged(tag);
    for draw in &drawn.draws {
        match draw {
            Draw::Line {
                x,
                y,
                size,
                ink,
                line,
            } => spans(surface, faces, line, Point::from_xy(*x, *y), *size, *ink),
            Draw::Rect { at, ink } => rect(surface, *at, *ink),
        }
    }
    surface.end_tagged();
    id
}

fn spans(surface: &mut Surface<'_>, faces: &Faces, line: &[Span], at: Point, size: f32, ink: Ink) {
    surface.set_fill(Some(fill(ink)));
    let mut x = at.x;
    for span in line.iter().filter(|span| !span.text.is_empty()) {
        let face = faces.get(span.kind);
        let glyphs = face.glyphs(&span.text);
        let at = Point::from_xy(x, at.y);
        surface.draw_glyphs(at, &glyphs, face.font.clone(), &span.text, size, false);
        x += face.width(&span.text) * size;
    }
}

fn rect(surface: &mut Surface<'_>, [x, y, width, height]: [f32; 4], ink: Ink) {
    surface.set_fill(Some(fill(ink)));
    let mut path = PathBuilder::new();
    if let Some(rect) = Rect::from_xywh(x, y, width, height) {
        path.push_rect(rect);
    }
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

/// The number of a page, for the eye alone.
fn foot(surface: &mut Surface<'_>, faces: &Faces, page: &Page, lang: Lang, at: usize, of: usize) {
    let words = lang
        .with("report-page")
        .count("page", at as u64)
        .count("pages", of as u64)
        .to_string();
    let width = faces.get(Kind::Regular).width(&words) * FOOT;
    let place = Point::from_xy(page.width - MARGIN - width, page.height - MARGIN / 2.0);
    let line = [Span {
        kind: Kind::Regular,
        text: words,
    }];
    let kind = ArtifactType::PaginationOther;
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(kind)));
    spans(surface, faces, &line, place, FOOT, Ink::Soft);
    surface.end_tagged();
}

fn fill(ink: Ink) -> Fill {
    let (red, green, blue) = match ink {
        Ink::Black => (0x1b, 0x1f, 0x24),
        Ink::Soft => (0x57, 0x60, 0x6a),
        Ink::Good => (0x11, 0x63, 0x29),
        Ink::Bad => (0xb3, 0x12, 0x0b),
        Ink::Bar => (0x0a, 0x5d, 0x8c),
        Ink::Rule => (0xd0, 0xd7, 0xde),
    };
    Fill {
        paint: rgb::Color::new(red, green, blue).into(),
        ..Fill::default()
    }
}
