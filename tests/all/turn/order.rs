//! The rules that hold for every turn, tried on many: results keep the order of
//! their calls, sequential tools do not overlap, and each call has the events it
//! should have.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use toolhost::{
    ApprovalRequirement, Call, Event, FinishedTurn, Host, NativeTool, Reply, ToolContext,
    ToolError, Turn, TurnOptions, TurnResult,
};

/// Numbers that look random and are the same in every run (Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// How many calls run at once, and how many did at most.
#[derive(Default)]
struct Gauge {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Gauge {
    fn enter(&self) {
        let now = self.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
    }

    fn leave(&self) {
        self.now.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn work(
    arguments: Value,
    context: ToolContext,
    gauges: [Arc<Gauge>; 2],
) -> Result<Value, ToolError> {
    for gauge in &gauges {
        gauge.enter();
    }
    for step in 0..arguments["partials"].as_u64().unwrap_or(0) {
        let _ = context.emit_partial(json!(step)).await;
    }
    tokio::time::sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap_or(0))).await;
    for gauge in &gauges {
        gauge.leave();
    }
    let failed = ToolError::new("SadError", "no luck");
    match arguments["end"].as_str() {
        Some("fail") => Err(failed),
        Some("retry") if context.attempt() == 0 => Err(failed.retryable()),
        Some("stop") => Err(failed.propagate()),
        Some("panic") => panic!("a tool of the test panics"),
        _ => Ok(json!({"id": context.tool_call_id()})),
    }
}

struct World {
    host: Host,
    all: Arc<Gauge>,
    sequential: Arc<Gauge>,
}

fn world() -> World {
    let (all, sequential) = (Arc::<Gauge>::default(), Arc::<Gauge>::default());
    let host = crate::support::host();
    for name in ["free", "asked", "one_by_one"] {
        let gauge = if name == "one_by_one" {
            &sequential
        } else {
            &Arc::default()
        };
        let gauges = [Arc::clone(&all), Arc::clone(gauge)];
        let builder = NativeTool::builder(name)
            .description("Works.")
            .input_schema(json!({"type": "object"}))
            .max_retries(1)
            .execute(move |arguments: Value, context: ToolContext| {
                work(arguments, context, gauges.clone())
            });
        let builder = match name {
            "asked" => builder.approval(ApprovalRequirement::Always),
            "one_by_one" => builder.sequential(),
            _ => builder,
        };
        host.register(builder.build().unwrap()).unwrap();
    }
    World {
        host,
        all,
        sequential,
    }
}

/// Some calls, which end in the first `ways` of the ways there are.
fn calls(dice: &mut Dice, ways: u64) -> Vec<Call> {
    let number = 1 + dice.below(20);
    (0..number)
        .map(|number| {
            let names = ["free", "free", "asked", "one_by_one", "missing"];
            let ends = ["ok", "ok", "ok", "fail", "retry", "panic", "stop"];
            let name = names[usize::try_from(dice.below(5)).unwrap()];
            let end = ends[usize::try_from(dice.below(ways)).unwrap()];
            let arguments = json!({"ms": dice.below(8), "partials": dice.below(4), "end": end});
            Call::new(format!("call-{number}"), name, arguments)
        })
        .collect()
}

/// Runs a turn to its end, approving or rejecting what asks; every other time
/// through the document. All events of all legs come back.
async fn play(
    world: &World,
    calls: Vec<Call>,
    dice: &mut Dice,
    concurrency: usize,
) -> (FinishedTurn, Vec<Event>) {
    let mut seen = Vec::new();
    let mut suspended = None;
    loop {
        let (sender, mut events) = mpsc::channel(1 + usize::try_from(dice.below(4)).unwrap());
        let options = TurnOptions {
            concurrency,
            events: Some(sender),
            ..TurnOptions::default()
        };
        let pause = Duration::from_micros(dice.below(300));
        let watching = tokio::spawn(async move {
            let mut seen = Vec::new();
            while let Some(event) = events.recv().await {
                tokio::time::sleep(pause).await;
                seen.push(event);
            }
            seen
        });
        let ended = match &suspended {
            None => world.host.run_turn(Turn::new(calls.clone()), options).await,
            Some(turn) => {
                let turn: &toolhost::SuspendedTurn = turn;
                let first = turn.pending().next().unwrap();
                let reply = if dice.below(4) == 0 {
                    Reply::Reject {
                        note: None,
                        by: None,
                    }
                } else {
                    Reply::Approve {
                        note: None,
                        by: None,
                        arguments: None,
                    }
                };
                let decision = first.decide(reply);
                world.host.resume_turn(turn, vec![decision], options).await
            }
        };
        seen.extend(watching.await.unwrap());
        match ended.unwrap() {
            TurnResult::Done(done) => return (done, seen),
            TurnResult::Suspended(turn) if dice.below(2) == 0 => {
                let text = turn.to_json();
                suspended = Some(toolhost::SuspendedTurn::from_json(&text).unwrap());
            }
            TurnResult::Suspended(turn) => suspended = Some(turn),
        }
    }
}

/// Checks the events of one call against the rules.
fn check(id: &str, events: &[&Event]) {
    let names: Vec<&str> = events.iter().map(|event| event.name()).collect();
    let count = |name: &str| names.iter().filter(|other| **other == name).count();
    let told = || format!("{id}: {names:?}");
    assert_eq!(count("tool.start"), 1, "{}", told());
    assert_eq!(names[0], "tool.start", "{}", told());
    assert_eq!(count("tool.done") + count("tool.error"), 1, "{}", told());
    assert!(events.last().unwrap().is_terminal(), "{}", told());
    assert_eq!(count("tool.suspended"), count("tool.resume"), "{}", told());
    let mut next = 0;
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start { .. } | Event::Resume { .. } => next = 0,
            Event::Partial { index, .. } => {
                assert_eq!(*index, next, "{}", told());
                next += 1;
            }
            Event::Suspended(_) => assert_eq!(names[at + 1], "tool.resume", "{}", told()),
            Event::Custom { .. } | Event::Done(_) | Event::Error(_) => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_turn_keeps_the_rules() {
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let world = world();
        let calls = calls(&mut dice, 6);
        let concurrency = 1 + usize::try_from(dice.below(6)).unwrap();
        let ids: Vec<String> = calls.iter().map(|call| call.tool_call_id.clone()).collect();
        let (done, events) = play(&world, calls, &mut dice, concurrency).await;

        let told: Vec<&String> = done
            .results
            .iter()
            .map(|result| &result.tool_call_id)
            .collect();
        assert_eq!(told, ids.iter().collect::<Vec<_>>(), "seed {seed}");
        for result in &done.results {
            if let Some(output) = result.output() {
                assert_eq!(
                    output.structured.as_ref().unwrap()["id"],
                    json!(result.tool_call_id)
                );
            }
        }
        assert!(
            world.all.most.load(Ordering::SeqCst) <= concurrency,
            "seed {seed}"
        );
        assert!(
            world.sequential.most.load(Ordering::SeqCst) <= 1,
            "seed {seed}"
        );
        let mut of_call: HashMap<&str, Vec<&Event>> = HashMap::new();
        for event in &events {
            of_call.entry(event.tool_call_id()).or_default().push(event);
        }
        for id in &ids {
            check(id, of_call.get(id.as_str()).map_or(&[], Vec::as_slice));
        }
    }
}

/// A turn that is cancelled, or ended by one of its calls, at any moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_that_ends_early_keeps_the_rules_too() {
    for seed in 1_000..1_100 {
        let mut dice = Dice(seed);
        let world = world();
        let calls = calls(&mut dice, 7);
        let ids: Vec<String> = calls.iter().map(|call| call.tool_call_id.clone()).collect();
        let (sender, mut events) = mpsc::channel(1);
        let options = TurnOptions {
            concurrency: 1 + usize::try_from(dice.below(6)).unwrap(),
            events: Some(sender),
            ..TurnOptions::default()
        };
        let cancel = options.cancel.clone();
        let moment = Duration::from_micros(dice.below(20_000));
        let watching = tokio::spawn(async move {
            let mut seen = Vec::new();
            while let Some(event) = events.recv().await {
                seen.push(event);
            }
            seen
        });
        tokio::spawn(async move {
            tokio::time::sleep(moment).await;
            cancel.cancel();
        });
        let ended = world
            .host
            .run_turn(Turn::new(calls), options)
            .await
            .unwrap();
        let seen = watching.await.unwrap();
        let TurnResult::Done(done) = ended else {
            // It came to rest before it was cancelled.
            continue;
        };
        let told: Vec<&String> = done
            .results
            .iter()
            .map(|result| &result.tool_call_id)
            .collect();
        assert_eq!(told, ids.iter().collect::<Vec<_>>(), "seed {seed}");
        for id in &ids {
            let of_call: Vec<&Event> = seen
                .iter()
                .filter(|event| event.tool_call_id() == id)
                .collect();
            let ends = of_call.iter().filter(|event| event.is_terminal()).count();
            let starts = of_call
                .iter()
                .filter(|event| event.name() == "tool.start")
                .count();
            assert_eq!(ends, 1, "seed {seed}, {id}: {of_call:?}");
            assert!(
                of_call.last().unwrap().is_terminal(),
                "seed {seed}, {id}: {of_call:?}"
            );
            assert!(starts <= 1, "seed {seed}, {id}: {of_call:?}");
        }
    }
}
