//! Waiting for something outside: a person, a sign-in, a tool of the caller.

use schemars::JsonSchema;
use serde_json::Value;

use crate::schema;

/// What a suspended call waits for, and what it wants to remember.
///
/// No instance is kept while it waits: the tool is called again from its start
/// and finds the state and the answer in
/// [`Context::resumption`](crate::Context::resumption).
///
/// ```
/// use toolhost_sdk::{Context, Outcome, Suspension, tool};
///
/// /// Books a table.
/// #[tool]
/// fn book(ctx: &Context) -> Outcome<String> {
///     match ctx.resumption().and_then(|back| back.answer) {
///         Some(answer) => Outcome::Done(format!("Booked for {answer}.")),
///         None => ctx.suspend(Suspension::question("For how many people?").answer_of::<u8>()),
///     }
/// }
/// # assert!(book(&Context::fake().build()).suspension().is_some());
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Suspension {
    /// What has to happen outside.
    pub kind: SuspensionKind,
    /// The tool's own state, handed back unread.
    pub state: Vec<u8>,
}

/// What has to happen before a suspended call goes on.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum SuspensionKind {
    /// A person has to agree.
    Approval {
        /// Why it is asked.
        reason: Option<String>,
    },
    /// The caller has to run tools of its own.
    ClientTools(Vec<ClientCall>),
    /// A person has to answer.
    Question {
        /// What is asked, for a person to read.
        prompt: String,
        /// JSON Schema of the answer; any text when absent.
        schema: Option<Value>,
    },
    /// A person has to sign in somewhere.
    SignIn {
        /// Where to sign in.
        url: String,
        /// Why, for a person to read.
        prompt: Option<String>,
    },
    /// Something this version does not name.
    Other {
        /// The kind.
        kind: String,
        /// What the caller needs to know.
        data: Value,
    },
}

/// A call that the caller runs.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientCall {
    /// The id under which its result comes back.
    pub tool_call_id: String,
    /// The caller's tool.
    pub tool_name: String,
    /// Its arguments; an object.
    pub arguments: Value,
}

impl ClientCall {
    /// A call of the caller's tool `tool_name`, whose result comes back under
    /// `tool_call_id`.
    pub fn new(
        tool_call_id: impl Into<String>,
        tool_name: impl Into<String>,
        arguments: impl Into<Value>,
    ) -> Self {
        Self {
            tool_call_id: tool_call_id.into(),
            tool_name: tool_name.into(),
            arguments: arguments.into(),
        }
    }
}

impl Suspension {
    fn of(kind: SuspensionKind) -> Self {
        Self {
            kind,
            state: Vec::new(),
        }
    }

    /// Waits until a person agrees.
    pub fn approval(reason: impl Into<String>) -> Self {
        Self::of(SuspensionKind::Approval {
            reason: Some(reason.into()),
        })
    }

    /// Waits for an answer in words; [`answer_of`](Self::answer_of) asks for
    /// something else.
    pub fn question(prompt: impl Into<String>) -> Self {
        Self::of(SuspensionKind::Question {
            prompt: prompt.into(),
            schema: None,
        })
    }

    /// Waits until somebody has signed in at `url`.
    pub fn sign_in(url: impl Into<String>) -> Self {
        Self::of(SuspensionKind::SignIn {
            url: url.into(),
            prompt: None,
        })
    }

    /// Waits for tools that the caller runs.
    pub fn client_tools(calls: impl IntoIterator<Item = ClientCall>) -> Self {
        Self::of(SuspensionKind::ClientTools(calls.into_iter().collect()))
    }

    /// Waits for something that this version does not name.
    pub fn other(kind: impl Into<String>, data: impl Into<Value>) -> Self {
        Self::of(SuspensionKind::Other {
            kind: kind.into(),
            data: data.into(),
        })
    }

    /// Asks for an answer that parses as `T`. Changes a question only.
    #[must_use]
    pub fn answer_of<T: JsonSchema>(mut self) -> Self {
        if let SuspensionKind::Question { schema, .. } = &mut self.kind {
            *schema = Some(schema::input_schema::<T>());
        }
        self
    }

    /// Asks for an answer that matches a JSON Schema, for answers that no type of
    /// the plugin describes. Changes a question only.
    #[must_use]
    pub fn answer_schema(mut self, answer: impl Into<Value>) -> Self {
        if let SuspensionKind::Question { schema, .. } = &mut self.kind {
            *schema = Some(answer.into());
        }
        self
    }

    /// Says why a person should sign in. Changes a sign-in only.
    #[must_use]
    pub fn because(mut self, why: impl Into<String>) -> Self {
        if let SuspensionKind::SignIn { prompt, .. } = &mut self.kind {
            *prompt = Some(why.into());
        }
        self
    }

    /// Remembers bytes until the call goes on. Do not put secrets here: they
    /// leave the sandbox.
    #[must_use]
    pub fn state(mut self, state: impl Into<Vec<u8>>) -> Self {
        self.state = state.into();
        self
    }
}
