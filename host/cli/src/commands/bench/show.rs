//! The measurement, as a person and as a program read it.

use std::fmt;

use serde_json::{Value, json};

use super::measure::{Counted, Series};

/// What was measured.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) plugin: String,
    pub(super) tool: String,
    /// The error that the calls ended in.
    pub(super) error: Option<String>,
    pub(super) concurrency: usize,
    /// Whether it was ended before its time.
    pub(super) interrupted: bool,
    pipeline: Side,
    floor: Option<Side>,
    /// The floor with fuel counted.
    metered: Option<Side>,
    /// Means, in microseconds, in the order in which they happen.
    stages: Vec<(&'static str, f64)>,
    /// The most memory that the guest of a call held, in bytes.
    guest_memory: u64,
    /// Resident bytes of a live sandbox.
    pub(super) memory: Option<u64>,
}

/// One side of the measurement; times in microseconds.
#[derive(Default)]
struct Side {
    calls: u64,
    /// What a call takes when nothing else on the machine gets in its way.
    p10: f64,
    p50: f64,
    p90: f64,
    p99: f64,
    max: f64,
    calls_per_second: f64,
}

impl Side {
    /// `None` of a side that was never reached.
    fn of_floor(series: Option<&Series>) -> Option<Self> {
        series
            .filter(|series| !series.latency.is_empty())
            .map(Self::of)
    }

    fn of(series: &Series) -> Self {
        let (latency, time) = (&series.latency, series.time);
        let at = |quantile| micros(latency.value_at_quantile(quantile));
        let calls = latency.len();
        Self {
            calls,
            p10: at(0.1),
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            max: micros(latency.max()),
            calls_per_second: round(float(calls) / time.as_secs_f64()),
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "calls": self.calls,
            "us": { "p10": self.p10, "p50": self.p50, "p90": self.p90, "p99": self.p99, "max": self.max },
            "callsPerSecond": self.calls_per_second,
        })
    }
}

impl Measured {
    /// Sums up what was counted.
    pub(super) fn of(counted: &Counted) -> Self {
        let pipeline = &counted.pipeline;
        let calls = float(pipeline.latency.len().max(1));
        let mean = |milliseconds: f64| round(milliseconds * 1e3 / calls);
        let mut stages = pipeline.stages.stages().to_vec();
        let known: f64 = stages.iter().map(|(_, time)| time).sum();
        stages.push(("settle", (pipeline.stages.total - known).max(0.0)));
        Self {
            pipeline: Side::of(pipeline),
            floor: Side::of_floor(counted.floor.as_ref()),
            metered: Side::of_floor(counted.metered.as_ref()),
            stages: stages
                .into_iter()
                .map(|(name, time)| (name, mean(time)))
                .collect(),
            guest_memory: pipeline.memory_peak,
            ..Self::default()
        }
    }

    /// Pipeline to a floor, by one of their quantiles.
    fn ratio(&self, floor: Option<&Side>, of: fn(&Side) -> f64) -> Option<f64> {
        let floor = of(floor?);
        (floor > 0.0).then(|| (of(&self.pipeline) / floor * 100.0).round() / 100.0)
    }

    /// One JSON object.
    pub(super) fn to_json(&self) -> Value {
        let stages: serde_json::Map<_, _> = self
            .stages
            .iter()
            .map(|(name, mean)| ((*name).to_owned(), json!(mean)))
            .collect();
        let ratio = |floor: &Option<Side>| self.ratio(floor.as_ref(), |side| side.p50);
        let ratio_p10 = |floor: &Option<Side>| self.ratio(floor.as_ref(), |side| side.p10);
        json!({
            "plugin": self.plugin,
            "tool": self.tool,
            "error": self.error,
            "concurrency": self.concurrency,
            "interrupted": self.interrupted,
            "pipeline": self.pipeline.to_json(),
            "floor": self.floor.as_ref().map(Side::to_json),
            "ratio": ratio(&self.floor),
            "ratioP10": ratio_p10(&self.floor),
            "meteredFloor": self.metered.as_ref().map(Side::to_json),
            "meteredRatio": ratio(&self.metered),
            "meteredRatioP10": ratio_p10(&self.metered),
            "stagesUs": stages,
            "guestMemoryBytes": self.guest_memory,
            "sandboxResidentBytes": self.memory,
        })
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { plugin, tool, .. } = self;
        let in_flight = match self.concurrency {
            1 => "one call at a time".to_owned(),
            calls => format!("{calls} calls in flight"),
        };
        let interrupted = if self.interrupted {
            " · interrupted"
        } else {
            ""
        };
        writeln!(f, "{plugin} · {tool} · {in_flight}{interrupted}")?;
        writeln!(f)?;
        writeln!(
            f,
            "{:<14}{:>10}{:>10}{:>10}{:>10}{:>11}{:>10}{:>19}",
            "µs", "p10", "p50", "p90", "p99", "max", "calls/s", "pipeline × p10/p50"
        )?;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, side: &Side| {
            let Side {
                p10,
                p50,
                p90,
                p99,
                max,
                calls_per_second,
                ..
            } = side;
            write!(
                f,
                "{name:<14}{p10:>10.1}{p50:>10.1}{p90:>10.1}{p99:>10.1}{max:>11.1}{calls_per_second:>10.0}"
            )
        };
        row(f, "pipeline", &self.pipeline)?;
        writeln!(f)?;
        for (name, floor) in [("raw floor", &self.floor), ("… with fuel", &self.metered)] {
            if let Some(floor) = floor {
                row(f, name, floor)?;
                let ratio = |of| self.ratio(Some(floor), of).unwrap_or_default();
                let (p10, p50) = (ratio(|side| side.p10), ratio(|side| side.p50));
                writeln!(f, "{:>19}", format!("{p10:.2}/{p50:.2}"))?;
            }
        }
        writeln!(f)?;
        let stages = self
            .stages
            .iter()
            .map(|(name, mean)| format!("{name} {mean:.1}"));
        let stages: Vec<String> = stages.collect();
        writeln!(f, "stages, mean µs: {}", stages.join(" · "))?;
        let kib = |bytes: u64| bytes.div_ceil(1024);
        if let Some(memory) = self.memory {
            writeln!(f, "a live sandbox: {} KiB resident", kib(memory))?;
        }
        write!(f, "guest memory: {} KiB at most", kib(self.guest_memory))
    }
}

fn micros(nanoseconds: u64) -> f64 {
    round(float(nanoseconds) / 1e3)
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts and nanoseconds stay far below 2^53"
)]
fn float(number: u64) -> f64 {
    number as f64
}
