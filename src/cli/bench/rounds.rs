//! A run in rounds, each between two calibrations of its limit.
//!
//! The median round counts: a machine that is shared is faster in one second than in the next, and of
//! two neighbours both are hit.

use crate::cli::Failure;

/// Rounds of a run.
pub const ROUNDS: usize = 5;

/// What the machine could do beside a round.
pub trait Calibration {
    /// CPU seconds of it; the fewest are nearest to what the machine can do.
    fn cpu(&self) -> f64;
}

/// Rounds, and the calibrations before the first and behind each.
pub struct Rounds<R, C> {
    rounds: Vec<R>,
    calibrations: Vec<C>,
}

impl<R, C: Calibration> Rounds<R, C> {
    /// Runs all rounds, given their numbers, and the calibrations between them.
    pub async fn run(
        mut round: impl AsyncFnMut(usize) -> Result<R, Failure>,
        mut calibrate: impl AsyncFnMut() -> Result<C, Failure>,
    ) -> Result<Self, Failure> {
        let (mut rounds, mut calibrations) = (Vec::new(), vec![calibrate().await?]);
        for n in 0..ROUNDS {
            rounds.push(round(n).await?);
            calibrations.push(calibrate().await?);
        }
        Ok(Self {
            rounds,
            calibrations,
        })
    }

    /// The median of a value that is made of each round and the faster of its two calibrations.
    pub fn median(&self, value: impl Fn(&R, &C) -> f64) -> f64 {
        let faster = self.calibrations.windows(2).filter_map(fastest);
        let rounds = self.rounds.iter().zip(faster);
        median(rounds.map(|(round, calibration)| value(round, calibration)))
    }

    /// The fastest calibration of all.
    pub fn fastest(&self) -> Option<&C> {
        fastest(&self.calibrations)
    }

    /// The rounds.
    pub fn into_rounds(self) -> Vec<R> {
        self.rounds
    }
}

fn fastest<C: Calibration>(calibrations: &[C]) -> Option<&C> {
    calibrations
        .iter()
        .min_by(|a, b| a.cpu().total_cmp(&b.cpu()))
}

/// The middle one of some values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
