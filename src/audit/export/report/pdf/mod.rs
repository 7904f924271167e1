//! report.pdf: the report for printing and for screen readers. Tagged, with bookmarks, page
//! numbers and embedded fonts; equal reports give equal files.

mod blocks;
mod draw;
mod faces;
mod pages;
mod wrap;

use krilla::configure::{ConfigurationBuilder, PdfVersion};
use krilla::destination::XyzDestination;
use krilla::geom::Point;
use krilla::metadata::{DateTime, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::{Document as Pdf, SerializeSettings};

use self::faces::Faces;
use self::pages::Pages;
use super::document::Document;
use crate::time::Timestamp;

/// Writes the report; the reason, in words, if the library refuses.
pub fn write(document: &Document, created_at: Timestamp) -> Result<Vec<u8>, String> {
    let faces = Faces::load().ok_or("an embedded font cannot be read")?;
    let mut pages = Pages::new(&faces);
    blocks::whole(&mut pages, document);
    let configuration = ConfigurationBuilder::new()
        .with_version(PdfVersion::Pdf17)
        .finish()
        .map_err(|error| format!("{error:?}"))?;
    let mut pdf = Pdf::new_with(SerializeSettings {
        configuration,
        enable_tagging: true,
        ..SerializeSettings::default()
    });
    pdf.set_metadata(metadata(document, created_at));
    pdf.set_outline(outline(&pages));
    let tree = draw::all(&mut pdf, &faces, pages, document.lang)?;
    pdf.set_tag_tree(tree);
    pdf.finish().map_err(|error| format!("{error:?}"))
}

/// Nothing here names a person.
fn metadata(document: &Document, created_at: Timestamp) -> Metadata {
    let text = created_at.to_string();
    let part = |at: std::ops::Range<usize>| text.get(at).and_then(|it| it.parse::<u16>().ok());
    let small = |at| part(at).unwrap_or_default() as u8;
    let date = DateTime::new(part(0..4).unwrap_or_default())
        .month(small(5..7))
        .day(small(8..10))
        .hour(small(11..13))
        .minute(small(14..16))
        .second(small(17..19))
        .utc_offset_hour(0)
        .utc_offset_minute(0);
    Metadata::new()
        .title(document.title.clone())
        .creator("Estreat".into())
        .language(document.lang.code().into())
        .creation_date(date)
        .document_id(document.created_at.clone())
}

fn outline(pages: &Pages<'_>) -> Outline {
    let mut outline = Outline::new();
    for mark in &pages.marks {
        let place = XyzDestination::new(mark.page, Point::from_xy(0.0, mark.y));
        outline.push_child(OutlineNode::new(mark.words.clone(), place));
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::export::report::document::{Block, Section, plain};
    use crate::messages::Lang;

    #[test]
    fn equal_reports_give_equal_files() {
        let document = |words: &str| Document {
            lang: Lang::German,
            title: "Bericht".into(),
            lead: "Ein Auszug.".into(),
            created_at: Timestamp(0).to_string(),
            sections: vec![Section {
                title: "Ergebnis".into(),
                blocks: vec![Block::Text(plain(words)), Block::Code("a\n\nb".into())],
            }],
        };
        let write = |words: &str| write(&document(words), Timestamp(0)).unwrap();
        assert_eq!(write("eins"), write("eins"));
        assert_ne!(write("eins"), write("zwei"));
    }
}
