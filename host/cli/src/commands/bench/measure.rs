//! Makes the calls, by turns through the pipeline and on the floor, and counts.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::task::JoinSet;
use toolhost::{Arguments, Call, Durations, Floor};

use super::SLICE;
use super::show::Measured;
use crate::commands::run::call::Ready;
use crate::failure::{Failure, Stop};

/// Longest time that is told from longer ones: ten minutes.
const MAX_NANOSECONDS: u64 = 600_000_000_000;

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bench {
    /// How long each side runs.
    pub(super) duration: Duration,
    /// Calls in flight.
    pub(super) concurrency: usize,
}

/// What is measured.
pub(super) struct Sides {
    pub(super) ready: Ready,
    pub(super) floor: Option<Floor>,
}

/// What was counted of one side.
pub(super) struct Series {
    /// Nanoseconds of each call, to three digits.
    pub(super) latency: Histogram<u64>,
    /// How long the side ran.
    pub(super) time: Duration,
    /// The stages of all calls, summed up.
    pub(super) stages: Durations,
    /// The most memory that a call held.
    pub(super) memory_peak: u64,
}

impl Series {
    fn new() -> Result<Self, Stop> {
        let unusable = |error| Failure::usage("cannot count").because(&error);
        Ok(Self {
            latency: Histogram::new_with_max(MAX_NANOSECONDS, 3).map_err(unusable)?,
            time: Duration::ZERO,
            stages: Durations::default(),
            memory_peak: 0,
        })
    }

    fn note(&mut self, took: Duration) {
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.latency.saturating_record(nanoseconds);
    }

    fn add(&mut self, other: &Self) {
        // Both count up to the same number of digits.
        let _ = self.latency.add(&other.latency);
        self.stages.add(&other.stages);
        self.memory_peak = self.memory_peak.max(other.memory_peak);
    }
}

impl Bench {
    /// Measures both sides, slice by slice, so that what else the machine does
    /// falls on both.
    ///
    /// # Errors
    ///
    /// When the floor traps.
    pub(super) async fn run(&self, sides: &Sides, tell: impl Fn(f64)) -> Result<Measured, Stop> {
        let (mut pipeline, mut floor) = (Series::new()?, Series::new()?);
        // Not counted: caches are filled, the pool's slots are touched.
        self.slice(sides, SLICE * 2, &mut Series::new()?).await?;
        self.floor_slice(sides, SLICE * 2, &mut Series::new()?)
            .await?;
        while pipeline.time < self.duration {
            self.slice(sides, SLICE, &mut pipeline).await?;
            self.floor_slice(sides, SLICE, &mut floor).await?;
            tell(pipeline.time.as_secs_f64() / self.duration.as_secs_f64());
        }
        Ok(Measured::of(
            &pipeline,
            sides.floor.is_some().then_some(&floor),
        ))
    }

    async fn slice(&self, sides: &Sides, time: Duration, sum: &mut Series) -> Result<(), Stop> {
        let until = Instant::now() + time;
        let worker = || pipeline_worker(sides.ready.clone(), until);
        self.workers(sum, worker).await
    }

    async fn floor_slice(
        &self,
        sides: &Sides,
        time: Duration,
        sum: &mut Series,
    ) -> Result<(), Stop> {
        let Some(floor) = &sides.floor else {
            return Ok(());
        };
        let until = Instant::now() + time;
        let worker = || floor_worker(floor.clone(), sides.ready.call.clone(), until);
        self.workers(sum, worker).await
    }

    /// Runs as many workers as calls are to be in flight.
    async fn workers<W>(&self, sum: &mut Series, worker: impl Fn() -> W) -> Result<(), Stop>
    where
        W: Future<Output = Result<Series, Stop>> + Send + 'static,
    {
        let started = Instant::now();
        let mut workers = JoinSet::new();
        for _ in 0..self.concurrency {
            workers.spawn(worker());
        }
        while let Some(joined) = workers.join_next().await {
            let lost = |error| Failure::usage("a worker was lost").because(&error);
            sum.add(&joined.map_err(lost)??);
        }
        sum.time += started.elapsed();
        Ok(())
    }
}

async fn pipeline_worker(ready: Ready, until: Instant) -> Result<Series, Stop> {
    let mut series = Series::new()?;
    while Instant::now() < until {
        let (call, context) = (ready.call.clone(), ready.context.clone());
        let started = Instant::now();
        let result = ready.host.call(call, context).await;
        series.note(started.elapsed());
        series.stages.add(&result.report.duration_ms);
        series.memory_peak = series.memory_peak.max(result.report.memory_peak_bytes);
    }
    Ok(series)
}

async fn floor_worker(floor: Floor, call: Call, until: Instant) -> Result<Series, Stop> {
    let mut series = Series::new()?;
    let arguments = match &call.arguments {
        Arguments::Absent => "{}".to_owned(),
        Arguments::Text(text) => text.clone(),
        Arguments::Value(value) => value.to_string(),
    };
    while Instant::now() < until {
        let started = Instant::now();
        let called = floor.call(&call.tool_name, &arguments).await;
        series.note(started.elapsed());
        if let Err(error) = called {
            let message = format!("the tool traps outside of the host: {error:#}");
            return Err(Failure::usage(message).into());
        }
    }
    Ok(series)
}
