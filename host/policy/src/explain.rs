//! Why something is allowed or denied, and which line decides: for `host policy
//! explain`. Everything is judged by the functions that calls are judged by; what is
//! added here is who said so, and what would change it.

mod answer;
mod judgement;

use std::collections::BTreeMap;

use crate::{Effective, Grants, Manifest, Origin, SecretName, SecretSpec, effective};
pub use answer::{AllowWith, Answer, Decider};
use judgement::Denied;

/// What a plugin may do, with everything that has a say in it.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'a> {
    /// The name that the operator knows the plugin by.
    pub plugin: &'a str,
    /// What the plugin asks for, if it says so.
    pub manifest: Option<&'a Manifest>,
    /// What the operator grants it.
    pub granted: &'a Grants,
    /// What it gets of that.
    pub effective: &'a Effective,
    /// The secrets that there are.
    pub secrets: &'a BTreeMap<SecretName, SecretSpec>,
}

/// What an operator asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Question<'a> {
    /// May it send this request?
    Request {
        /// Its method.
        method: &'a str,
        /// Its URL.
        url: &'a str,
    },
    /// May it open this file?
    Path {
        /// Its path in the sandbox.
        path: &'a str,
        /// To write to it, and not only to read.
        write: bool,
    },
    /// Does it see this environment variable?
    Env(&'a str),
    /// May it call this tool?
    Tool(&'a str),
    /// Does it get this value of the configuration?
    ConfigKey(&'a str),
    /// May it have this secret put into a request?
    Secret {
        /// The name of the secret.
        name: &'a str,
        /// The method and the URL of the request; any when absent.
        request: Option<(&'a str, &'a str)>,
    },
    /// May it keep keys and values?
    Storage,
    /// May it read the transcript?
    Messages,
}

impl Policy<'_> {
    /// Whether it is allowed, who decides, and what would allow it.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use toolhost_policy::{Grants, Policy, Question, effective};
    ///
    /// let granted = Grants::default();
    /// let policy = Policy {
    ///     plugin: "weather",
    ///     manifest: None,
    ///     granted: &granted,
    ///     effective: &effective(None, &granted),
    ///     secrets: &BTreeMap::new(),
    /// };
    /// let answer = policy.explain(&Question::Env("TZ"));
    /// assert!(!answer.allowed);
    /// assert_eq!(answer.allow_with.unwrap().flag, "--env TZ=VALUE");
    /// ```
    #[must_use]
    pub fn explain(&self, question: &Question<'_>) -> Answer {
        if let Question::Secret {
            name,
            request: Some((method, url)),
        } = *question
        {
            // The request itself has to be allowed as well.
            let request = self.explain(&Question::Request { method, url });
            if !request.allowed {
                let said = format!("the request that would carry `{name}` is not allowed");
                return request.noting(said);
            }
            let request = request.decider.to_string();
            return self.judged(question).noting(request);
        }
        self.judged(question)
    }

    fn judged(&self, question: &Question<'_>) -> Answer {
        match judgement::judge_in(self, &self.effective.grants, question) {
            Ok(item) => {
                let origin = self.effective.grants.origin(&item).cloned();
                let mut answer = Answer::allowed(Decider::Grant { item, origin });
                answer.notes.extend(self.asked(question));
                answer
                    .notes
                    .extend(judgement::caution(question).map(str::to_owned));
                answer
            }
            Err(denied) => self.denied(question, denied),
        }
    }

    fn denied(&self, question: &Question<'_>, denied: Denied) -> Answer {
        let plugin = self.plugin;
        if let Ok(item) = judgement::judge_in(self, self.granted, question) {
            let origin = self.granted.origin(&item).map(Origin::to_string);
            let whose = origin.map_or_else(String::new, |origin| format!("{origin}: "));
            return Answer::denied(Decider::Manifest {
                plugin: plugin.to_owned(),
            })
            .noting(format!("{whose}{item} would grant it"))
            .noting("only the plugin's author can have it ask for more");
        }
        let Some(more) = denied.allow_with else {
            return Answer::denied(Decider::Rule(denied.why));
        };
        let answer = Answer::denied(Decider::Nothing).noting(denied.why);
        // Would it help? By the same functions, with the grant in place.
        let mut granted = self.granted.clone();
        granted
            .dirs
            .retain(|dir| more.dirs.iter().all(|other| other.guest != dir.guest));
        let allow_with = AllowWith::of(&more, plugin);
        let granted = match granted.merge(more) {
            Ok(granted) => granted,
            Err(error) => return answer.noting(error.to_string()),
        };
        let kept = effective(self.manifest, &granted).grants;
        if judgement::judge_in(self, &kept, question).is_ok() {
            return Answer {
                allow_with,
                ..answer
            };
        }
        match judgement::judge_in(self, &granted, question) {
            Err(still) => answer.noting(still.why),
            Ok(_) => answer.noting(format!(
                "the manifest of `{plugin}` does not want it either, so no grant would allow it"
            )),
        }
    }

    /// What the plugin's own words for it are.
    fn asked(&self, question: &Question<'_>) -> Option<String> {
        let manifest = self.manifest?;
        let want = judgement::want(&manifest.wants, question)?;
        let what = match &*want.what {
            "" => String::new(),
            what => format!(" {what:?}"),
        };
        Some(format!(
            "manifest of `{}`: wants {}{what} ({})",
            self.plugin, want.capability, want.why
        ))
    }
}

#[cfg(test)]
mod tests;
