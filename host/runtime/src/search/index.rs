//! The tools that can be searched for, ranked by BM25 over their names,
//! descriptions and parameters.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bm25::{Document, SearchEngine, SearchEngineBuilder};
use serde_json::Value;
use toolhost_tool::ToolDefinition;

use super::words::Words;
use crate::tool::Tool;

/// The tools that can be searched for. Cheap to clone: all clones are one index.
#[derive(Clone, Default)]
pub(crate) struct Index(Arc<RwLock<Arc<Corpus>>>);

#[derive(Default)]
struct Corpus {
    tools: Vec<Arc<Tool>>,
    /// Built when somebody first searches: many programs never do.
    engine: OnceLock<SearchEngine<usize, u32, Words>>,
}

impl Index {
    /// Makes `tools` what can be searched for.
    pub(crate) fn set<'a>(&self, tools: impl Iterator<Item = &'a Arc<Tool>>) {
        let corpus = Corpus {
            tools: tools.map(Arc::clone).collect(),
            engine: OnceLock::new(),
        };
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(corpus);
    }

    /// Whether there is nothing to search for.
    pub(crate) fn is_empty(&self) -> bool {
        self.corpus().tools.is_empty()
    }

    /// The tools that have a word of `query`, the best first; of equally good
    /// ones by name.
    pub(crate) fn rank(&self, query: &str) -> Vec<Arc<Tool>> {
        let corpus = self.corpus();
        let engine = corpus.engine.get_or_init(|| build(&corpus.tools));
        let mut found = engine.search(query, None);
        found.sort_by(|one, other| {
            let by_score = other.score.total_cmp(&one.score);
            by_score.then(one.document.id.cmp(&other.document.id))
        });
        found
            .into_iter()
            .filter_map(|result| corpus.tools.get(result.document.id).map(Arc::clone))
            .collect()
    }

    fn corpus(&self) -> Arc<Corpus> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

fn build(tools: &[Arc<Tool>]) -> SearchEngine<usize, u32, Words> {
    let documents = tools
        .iter()
        .enumerate()
        .map(|(id, tool)| Document::new(id, text(&tool.definition)));
    let builder = SearchEngineBuilder::<usize, u32, Words>::with_tokenizer_and_documents(
        Words::default(),
        documents,
    );
    builder.build()
}

/// What is searched of a tool.
fn text(definition: &ToolDefinition) -> String {
    let mut text = format!("{}\n{}", definition.name, definition.description);
    for name in [&definition.display_name, &definition.annotations.title] {
        push(&mut text, name.as_deref());
    }
    parameters(&definition.input_schema, &mut text);
    text
}

/// The names of parameters, what they are for and what they may be. The schema
/// was compiled, so it is no deeper than what may be walked.
fn parameters(schema: &Value, text: &mut String) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                member(key, value, text);
            }
        }
        Value::Array(schemas) => {
            for schema in schemas {
                parameters(schema, text);
            }
        }
        _ => {}
    }
}

fn member(key: &str, value: &Value, text: &mut String) {
    match (key, value) {
        ("properties", Value::Object(properties)) => {
            for (name, schema) in properties {
                push(text, Some(name));
                parameters(schema, text);
            }
        }
        ("description" | "title" | "const", Value::String(words)) => push(text, Some(words)),
        ("enum", Value::Array(choices)) => {
            for choice in choices {
                push(text, choice.as_str());
            }
        }
        (_, inner) => parameters(inner, text),
    }
}

fn push(text: &mut String, words: Option<&str>) {
    if let Some(words) = words {
        text.push('\n');
        text.push_str(words);
    }
}
