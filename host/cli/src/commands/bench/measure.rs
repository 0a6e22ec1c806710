//! Makes the calls, by turns through the pipeline and on the floors, and counts.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use tokio::task::JoinSet;
use toolhost::{Arguments, Call, CallOptions, CancelHandle, Durations, Floor};

use super::SLICE;
use crate::commands::run::call::Ready;
use crate::failure::{Failure, Stop};

/// Longest time that is told from longer ones: ten minutes.
const MAX_NANOSECONDS: u64 = 600_000_000_000;

/// How to measure.
pub(super) struct Bench {
    /// How long each side runs.
    pub(super) duration: Duration,
    /// Calls in flight.
    pub(super) concurrency: usize,
    /// Ends it early.
    pub(super) cancel: CancelHandle,
}

/// What is measured.
pub(super) struct Sides {
    pub(super) ready: Ready,
    pub(super) floor: Option<Floor>,
    /// The floor with fuel counted.
    pub(super) metered: Option<Floor>,
}

/// What was counted of all sides.
pub(super) struct Counted {
    pub(super) pipeline: Series,
    pub(super) floor: Option<Series>,
    pub(super) metered: Option<Series>,
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

impl Counted {
    pub(super) fn new(sides: &Sides) -> Result<Self, Stop> {
        let series = |floor: &Option<Floor>| floor.as_ref().map(|_| Series::new()).transpose();
        Ok(Self {
            pipeline: Series::new()?,
            floor: series(&sides.floor)?,
            metered: series(&sides.metered)?,
        })
    }

    /// Whether there is anything to tell of.
    pub(super) fn has_calls(&self) -> bool {
        !self.pipeline.latency.is_empty()
    }
}

impl Bench {
    /// Measures all sides, slice by slice, so that what else the machine does
    /// falls on all.
    ///
    /// # Errors
    ///
    /// When a floor traps, or the measurement is cancelled. What was counted until
    /// then stands, but for the slice that was broken off.
    pub(super) async fn run(
        &self,
        sides: &Sides,
        counted: &mut Counted,
        tell: impl Fn(f64),
    ) -> Result<(), Stop> {
        // Not counted: caches are filled, the pool's slots are touched.
        let mut ignored = Counted::new(sides)?;
        self.slices(sides, SLICE * 2, &mut ignored).await?;
        while counted.pipeline.time < self.duration {
            self.slices(sides, SLICE, counted).await?;
            tell(counted.pipeline.time.as_secs_f64() / self.duration.as_secs_f64());
        }
        Ok(())
    }

    async fn slices(
        &self,
        sides: &Sides,
        time: Duration,
        counted: &mut Counted,
    ) -> Result<(), Stop> {
        self.slice(sides, time, &mut counted.pipeline).await?;
        let floors = [
            (&sides.floor, &mut counted.floor),
            (&sides.metered, &mut counted.metered),
        ];
        for (floor, sum) in floors {
            if let (Some(floor), Some(sum)) = (floor, sum) {
                self.floor_slice(floor, &sides.ready.call, time, sum)
                    .await?;
            }
        }
        Ok(())
    }

    async fn slice(&self, sides: &Sides, time: Duration, sum: &mut Series) -> Result<(), Stop> {
        let until = Instant::now() + time;
        let worker = || pipeline_worker(sides.ready.clone(), until, self.cancel.clone());
        self.workers(sum, worker).await
    }

    async fn floor_slice(
        &self,
        floor: &Floor,
        call: &Call,
        time: Duration,
        sum: &mut Series,
    ) -> Result<(), Stop> {
        let until = Instant::now() + time;
        let worker = || floor_worker(floor.clone(), call.clone(), until);
        tokio::select! {
            ended = self.workers(sum, worker) => ended,
            // A bare call cannot be told to end, so it is left behind.
            () = self.cancel.cancelled() => Err(Stop::Interrupted),
        }
    }

    /// Runs as many workers as calls are to be in flight.
    async fn workers<W>(&self, sum: &mut Series, worker: impl Fn() -> W) -> Result<(), Stop>
    where
        W: Future<Output = Result<Series, Stop>> + Send + 'static,
    {
        let started = Instant::now();
        let mut slice = Series::new()?;
        let mut workers = JoinSet::new();
        for _ in 0..self.concurrency {
            workers.spawn(worker());
        }
        while let Some(joined) = workers.join_next().await {
            let lost = |error| Failure::usage("a worker was lost").because(&error);
            slice.add(&joined.map_err(lost)??);
        }
        if self.cancel.is_cancelled() {
            return Err(Stop::Interrupted);
        }
        sum.add(&slice);
        sum.time += started.elapsed();
        Ok(())
    }
}

async fn pipeline_worker(
    ready: Ready,
    until: Instant,
    cancel: CancelHandle,
) -> Result<Series, Stop> {
    let mut series = Series::new()?;
    while Instant::now() < until && !cancel.is_cancelled() {
        let (call, context) = (ready.call.clone(), ready.context.clone());
        let options = CallOptions {
            cancel: cancel.clone(),
            ..CallOptions::default()
        };
        let started = Instant::now();
        let result = ready.host.call_with(call, context, options).await;
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
