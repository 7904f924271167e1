//! Where randomness comes from. Devices ask the operating system; tests seed their own.

/// A source of secret, unpredictable bytes.
pub trait Random: Send + Sync {
    /// Fills `out`. An implementation that cannot must not return.
    fn fill(&self, out: &mut [u8]);
}

/// `N` random bytes.
pub fn bytes<const N: usize>(random: &dyn Random) -> [u8; N] {
    let mut out = [0; N];
    random.fill(&mut out);
    out
}
