//! How a native tool is put together.

mod hooks;
mod settings;

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toolhost_policy::LimitsPatch;
use toolhost_sandbox::Failure;
use toolhost_tool::permission::Glob;
use toolhost_tool::spec::parse_parameters;
use toolhost_tool::{
    Annotations, ApprovalRequirement, Behaviour, CallError, HookSet, Issue, ToolDefinition,
};

use super::context::ToolContext;
use super::error::ToolError;
use super::returns::{IntoReturn, problem_with};
use super::runner::{Functions, NativeRunner};
use super::sandbox::{AdapterSlot, SandboxAdapter, SandboxHandle};
use super::schema;
use crate::error::Error;
use crate::tool::Tool;

/// Where a native tool comes from, unless its builder says otherwise.
const SOURCE: &str = "this program";

/// A tool that is a Rust function of the program; see
/// [`builder`](Self::builder).
#[derive(Debug)]
pub enum NativeTool {}

impl NativeTool {
    /// Starts a tool. It needs a description; everything else has a default: no
    /// arguments, no approval, no retries, the limits of the host.
    ///
    /// ```
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    /// use toolhost::{Call, ExecutionContext, Host, NativeTool, ToolContext, ToolError};
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Args {
    ///     /// The city, in English.
    ///     city: String,
    /// }
    ///
    /// #[derive(Serialize, JsonSchema)]
    /// struct Weather {
    ///     celsius: f64,
    /// }
    ///
    /// # #[tokio::main]
    /// # async fn main() -> Result<(), toolhost::Error> {
    /// let tool = NativeTool::builder("get_weather")
    ///     .description("The weather in a city right now.")
    ///     .input::<Args>()
    ///     .output::<Weather>()
    ///     .read_only()
    ///     .execute(async |args: Args, _: ToolContext| match args.city.as_str() {
    ///         "Rome" => Ok(Weather { celsius: 21.5 }),
    ///         city => Err(ToolError::new("CityNotFoundError", format!("no city `{city}`"))),
    ///     })
    ///     .build()?;
    ///
    /// let host = Host::builder().build()?;
    /// host.register(tool)?;
    /// let call = Call::from_text("call-1", "get_weather", r#"{"city": "Rome"}"#);
    /// let result = host.call(call, ExecutionContext::default()).await;
    /// assert_eq!(result.to_json()["result"]["celsius"], 21.5);
    /// # Ok(())
    /// # }
    /// ```
    pub fn builder(name: impl Into<String>) -> NativeToolBuilder {
        NativeToolBuilder::new(name.into())
    }
}

/// Puts a native tool together. `I` is what its functions get as arguments:
/// the type given to [`input`](Self::input), else a JSON [`Value`].
///
/// A function is `async |args, context| …`, or, where it uses something of its
/// surroundings, `move |args, context| { let it = it.clone(); async move { … } }`.
/// It runs on a task of its own. A panic is an error of the call; the deadline
/// and the caller's cancel drop it.
///
/// A tool without [`execute`](Self::execute) is a **client tool**: a call of it
/// suspends, and the caller brings the result.
#[must_use = "a builder does nothing until `build`"]
pub struct NativeToolBuilder<I = Value> {
    definition: ToolDefinition,
    functions: Functions,
    source: String,
    limits: LimitsPatch,
    calls: Vec<Glob>,
    requires_sandbox: bool,
    sandbox: Option<Arc<dyn SandboxAdapter>>,
    /// Text is returned as JSON. Shared with the functions, because the output
    /// type may be declared after them.
    declares_output: Arc<AtomicBool>,
    problem: Option<String>,
    input: PhantomData<fn() -> I>,
}

impl NativeToolBuilder {
    fn new(name: String) -> Self {
        Self {
            definition: ToolDefinition {
                name,
                display_name: None,
                description: String::new(),
                input_schema: schema::no_arguments(),
                output_schema: None,
                annotations: Annotations::default(),
                approval: ApprovalRequirement::Never,
                behaviour: Behaviour::default(),
                hooks: HookSet::default(),
                max_retries: 0,
                meta: None,
            },
            functions: Functions::default(),
            source: SOURCE.to_owned(),
            limits: LimitsPatch::default(),
            calls: Vec::new(),
            requires_sandbox: false,
            sandbox: None,
            declares_output: Arc::default(),
            problem: None,
            input: PhantomData,
        }
    }
}

impl<I: DeserializeOwned + 'static> NativeToolBuilder<I> {
    /// Takes arguments of the type `T`; doc comments become descriptions.
    /// Arguments that match the schema and still cannot be read into `T` are
    /// told to the model as invalid arguments.
    pub fn input<T: DeserializeOwned + JsonSchema + 'static>(self) -> NativeToolBuilder<T> {
        let mut builder = self.with_input::<T>(schema::input::<T>());
        builder.definition.hooks.validate = true;
        builder.functions.validate = Some(Box::new(|text| {
            Box::pin(async move { Ok(decode::<T>(&text).err().into_iter().collect()) })
        }));
        builder
    }

    /// Takes arguments that match a JSON Schema (2020-12) of type `object`.
    pub fn input_schema(self, schema: Value) -> NativeToolBuilder<Value> {
        self.with_input(schema)
    }

    /// Takes arguments that a compact spec describes, such as
    /// `city: string, unit?: enum("C", "F")`; see
    /// [`parse_parameters`](toolhost_tool::spec::parse_parameters). A spec that
    /// cannot be read is an error of [`build`](Self::build).
    ///
    /// ```
    /// use serde_json::Value;
    /// use toolhost::{NativeTool, ToolContext};
    ///
    /// let tool = NativeTool::builder("forecast")
    ///     .description("The weather of the next days.")
    ///     .parameters(r#"city: string "in English", days?: integer = 3 (1..14)"#)
    ///     .execute(async |arguments: Value, _: ToolContext| {
    ///         format!("{} days of sun in {}", arguments["days"], arguments["city"])
    ///     })
    ///     .build()?;
    /// assert_eq!(tool.definition().input_schema["required"][0], "city");
    /// # Ok::<(), toolhost::Error>(())
    /// ```
    pub fn parameters(mut self, spec: &str) -> NativeToolBuilder<Value> {
        match parse_parameters(spec) {
            Ok(schema) => self.with_input(schema),
            Err(error) => {
                let problem = format!("its parameters cannot be read: {error}");
                self.problem.get_or_insert(problem);
                self.with_input(schema::no_arguments())
            }
        }
    }

    fn with_input<T>(mut self, schema: Value) -> NativeToolBuilder<T> {
        let functions = &self.functions;
        let is_late = functions.execute.is_some()
            || functions.sandboxed.is_some()
            || functions.needs_approval.is_some()
            || functions.validate.is_some();
        if is_late {
            let problem = "its input is declared twice, or after a function that takes it: declare \
                           it once, before them";
            self.problem.get_or_insert_with(|| problem.to_owned());
        }
        NativeToolBuilder {
            definition: ToolDefinition {
                input_schema: schema,
                ..self.definition
            },
            functions: self.functions,
            source: self.source,
            limits: self.limits,
            calls: self.calls,
            requires_sandbox: self.requires_sandbox,
            sandbox: self.sandbox,
            declares_output: self.declares_output,
            problem: self.problem,
            input: PhantomData,
        }
    }

    /// Returns a `T`. A result that does not match its schema is an error of
    /// the tool.
    pub fn output<T: Serialize + JsonSchema>(self) -> Self {
        self.output_schema(schema::output::<T>())
    }

    /// Returns a value that matches a JSON Schema (2020-12).
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.definition.output_schema = Some(schema);
        self.declares_output.store(true, Ordering::Relaxed);
        self
    }

    /// The function of the tool. See [`IntoReturn`] for what it may return.
    pub fn execute<F, Fut, R, Kind>(mut self, function: F) -> Self
    where
        F: Fn(I, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoReturn<Kind>,
    {
        self.check_return::<R, Kind>();
        let (function, as_json) = (Arc::new(function), Arc::clone(&self.declares_output));
        self.functions.execute = Some(Box::new(move |text, context| {
            let (function, as_json) = (Arc::clone(&function), as_json.load(Ordering::Relaxed));
            Box::pin(async move {
                let arguments = arguments(&text, &context)?;
                let returned = function(arguments, context).await;
                returned
                    .into_return(as_json)
                    .map_err(ToolError::into_failure)
            })
        }));
        self
    }

    /// The function that is called in place of [`execute`](Self::execute) where
    /// there is a sandbox: what it does not trust runs through the handle it
    /// gets. Without a plain function the tool requires a sandbox.
    ///
    /// ```no_run
    /// use serde_json::{Value, json};
    /// use toolhost::{Host, NativeTool, PluginOptions, PluginSandbox, SandboxHandle, ToolContext};
    ///
    /// # async fn example() -> Result<(), toolhost::Error> {
    /// let host = Host::builder().build()?;
    /// let jq = host.open("target/plugins/jq.wasm", PluginOptions::default()).await?;
    /// let tool = NativeTool::builder("first_names")
    ///     .description("The first names in a list of people.")
    ///     .parameters("people: any[]")
    ///     .sandbox_execute(async |arguments: Value, sandbox: SandboxHandle, _: ToolContext| {
    ///         let input = json!({"filter": "map(.name)", "json": arguments["people"].to_string()});
    ///         sandbox.run("jq", input).await
    ///     })
    ///     .sandbox(PluginSandbox::new(&jq))
    ///     .build()?;
    /// host.register(tool)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn sandbox_execute<F, Fut, R, Kind>(mut self, function: F) -> Self
    where
        F: Fn(I, SandboxHandle, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = R> + Send + 'static,
        R: IntoReturn<Kind>,
    {
        self.check_return::<R, Kind>();
        let (function, as_json) = (Arc::new(function), Arc::clone(&self.declares_output));
        self.functions.sandboxed = Some(Box::new(move |text, sandbox, context| {
            let (function, as_json) = (Arc::clone(&function), as_json.load(Ordering::Relaxed));
            Box::pin(async move {
                let arguments = arguments(&text, &context)?;
                let returned = function(arguments, sandbox, context).await;
                returned
                    .into_return(as_json)
                    .map_err(ToolError::into_failure)
            })
        }));
        self
    }

    /// Builds the tool.
    ///
    /// # Errors
    ///
    /// When the definition cannot be used; the error says how to mend it.
    pub fn build(mut self) -> Result<Tool, Error> {
        let (has_plain, has_sandboxed) = (
            self.functions.execute.is_some(),
            self.functions.sandboxed.is_some(),
        );
        self.requires_sandbox |= has_sandboxed && !has_plain;
        let is_client = !has_plain && !self.requires_sandbox;
        self.definition.behaviour.client_side = is_client;
        // Nobody is asked to approve a call that will be refused: whether there
        // is a sandbox is part of validating it.
        self.definition.hooks.validate |= self.requires_sandbox;
        let problem = self.problem.take().or_else(|| self.contradiction());
        let source: Arc<str> = self.source.into();
        if let Some(reason) = problem {
            return Err(Error::Definition {
                tool: self.definition.name,
                source_name: source.to_string(),
                reason,
            });
        }
        let runner = NativeRunner {
            functions: Arc::new(self.functions),
            source,
            limits: self.limits,
            calls: self.calls,
            requires_sandbox: self.requires_sandbox,
            sandbox: self.sandbox,
            host_sandbox: AdapterSlot::default(),
        };
        Tool::of_native(self.definition, runner, is_client)
    }

    /// What of the definition does not fit together.
    fn contradiction(&self) -> Option<String> {
        let definition = &self.definition;
        if definition.description.trim().is_empty() {
            return Some(
                "it has no description, and a model chooses a tool by it: add `.description(…)`"
                    .into(),
            );
        }
        if definition.approval == ApprovalRequirement::AskHook && !definition.hooks.needs_approval {
            return Some(
                "its approval is `ask-hook` and it has no such hook: add `.needs_approval(…)`"
                    .into(),
            );
        }
        None
    }

    fn check_return<R, Kind>(&mut self)
    where
        R: IntoReturn<Kind>,
    {
        if R::IS_VALUE {
            self.problem = self.problem.take().or_else(problem_with::<R>);
        }
    }
}

/// The arguments as the functions of a tool get them.
fn arguments<I: DeserializeOwned>(text: &str, context: &ToolContext) -> Result<I, Failure> {
    decode(text).map_err(|issue| {
        let error = CallError::validation(context.tool_name(), vec![issue]);
        Failure::Tool(Box::new(error))
    })
}

fn decode<I: DeserializeOwned>(text: &str) -> Result<I, Issue> {
    serde_json::from_str(text).map_err(|error| {
        // A line and a column mean nothing to a model, which never saw this text.
        let position = format!(" at line {} column {}", error.line(), error.column());
        let message = error.to_string();
        Issue {
            path: String::new(),
            message: message
                .strip_suffix(&position)
                .unwrap_or(&message)
                .to_owned(),
        }
    })
}
