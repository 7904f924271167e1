//! The embedded fonts, and how wide each character of them is.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider as _};

// Embedded, so that a report looks the same on every server and needs no font of the reader's.
const REGULAR: &[u8] = include_bytes!("../../../../../static/fonts/DejaVuSans.ttf");
const BOLD: &[u8] = include_bytes!("../../../../../static/fonts/DejaVuSans-Bold.ttf");
const MONO: &[u8] = include_bytes!("../../../../../static/fonts/DejaVuSansMono.ttf");

/// Which font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// For words.
    Regular,
    /// For words with weight.
    Bold,
    /// For what is read letter by letter.
    Mono,
}

/// A font.
pub struct Face {
    /// As it is drawn with.
    pub font: Font,
    file: FontRef<'static>,
    metrics: GlyphMetrics<'static>,
    per_em: f32,
}

/// All fonts.
pub struct Faces([Face; 3]);

impl Faces {
    /// Reads the fonts; `None` if one cannot be read, which a test excludes.
    pub fn load() -> Option<Self> {
        Some(Self([load(REGULAR)?, load(BOLD)?, load(MONO)?]))
    }

    /// A font.
    pub fn get(&self, kind: Kind) -> &Face {
        &self.0[kind as usize]
    }
}

fn load(bytes: &'static [u8]) -> Option<Face> {
    let font = Font::new(bytes.into(), 0)?;
    let file = FontRef::new(bytes).ok()?;
    let metrics = file.glyph_metrics(Size::unscaled(), LocationRef::default());
    let per_em = font.units_per_em();
    Some(Face {
        font,
        file,
        metrics,
        per_em,
    })
}

impl Face {
    /// Whether the font has a picture of a character.
    pub fn has(&self, c: char) -> bool {
        self.file
            .charmap()
            .map(c)
            .is_some_and(|id| id.to_u32() != 0)
    }

    /// The width of a text at a size of 1.
    pub fn width(&self, text: &str) -> f32 {
        text.chars().map(|c| self.glyph(c).1).sum()
    }

    /// A text as glyphs.
    pub fn glyphs(&self, text: &str) -> Vec<KrillaGlyph> {
        let glyph = |(at, c): (usize, char)| {
            let (id, advance) = self.glyph(c);
            KrillaGlyph {
                glyph_id: GlyphId::new(id),
                text_range: at..at + c.len_utf8(),
                x_advance: advance,
                x_offset: 0.0,
                y_offset: 0.0,
                y_advance: 0.0,
                location: None,
            }
        };
        text.char_indices().map(glyph).collect()
    }

    fn glyph(&self, c: char) -> (u32, f32) {
        let id = self.file.charmap().map(c).unwrap_or_default();
        let advance = self.metrics.advance_width(id).unwrap_or_default();
        (id.to_u32(), advance / self.per_em)
    }
}
