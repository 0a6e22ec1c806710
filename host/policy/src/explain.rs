//! Why something is allowed or denied, and which line decides: for `host policy
//! explain`. Everything is judged by the functions that calls are judged by; what is
//! added here is who said so, and what would change it.

mod answer;
mod callee;
mod judgement;
mod question;

use std::collections::BTreeMap;

use toolhost_tool::ToolDefinition;
use toolhost_tool::permission::Permissions;

use crate::{Effective, GrantError, Grants, Manifest, Origin, SecretName, SecretSpec, effective};
pub use answer::{AllowWith, Answer, Decider};
use judgement::Denied;
pub use question::Question;

/// Most grants that are tried before none is advised: one may show that another is
/// needed in its place.
const MAX_TRIES: usize = 4;

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
    /// What else has a say.
    pub setting: Setting<'a>,
}

/// What else has a say: what the operator's configuration and the other plugins are
/// like. By default nothing of it is known, and answers hold as far as they can.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting<'a> {
    /// Whether the plugin is a file that goes by no name of the configuration: then no
    /// secret is bound to it, and no section of the file is for it alone.
    pub unnamed: bool,
    /// Rules and mode for calls of tools.
    pub permissions: Option<&'a Permissions>,
    /// The tools of all plugins, when they were looked up.
    pub tools: Option<&'a [ToolDefinition]>,
    /// Who the call is made for, by id; taken for verified.
    pub principal: Option<&'a str>,
    /// Secrets whose values cannot be read, by name, and why.
    pub unreadable: Option<&'a BTreeMap<String, String>>,
}

impl Policy<'_> {
    /// Whether it is allowed, who decides, and what would allow it.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use toolhost_policy::{Grants, Policy, Question, Setting, effective};
    ///
    /// let granted = Grants::default();
    /// let policy = Policy {
    ///     plugin: "weather",
    ///     manifest: None,
    ///     granted: &granted,
    ///     effective: &effective(None, &granted),
    ///     secrets: &BTreeMap::new(),
    ///     setting: Setting::default(),
    /// };
    /// let answer = policy.explain(&Question::Env("TZ"));
    /// assert!(!answer.allowed);
    /// assert_eq!(answer.allow_with.unwrap().flag, "--env TZ=VALUE");
    /// ```
    #[must_use]
    pub fn explain(&self, question: &Question<'_>) -> Answer {
        let mut answer = match *question {
            Question::Secret {
                name,
                request: Some((method, url)),
            } => {
                // The request itself has to be allowed as well.
                let request = self.judged(&Question::Request { method, url });
                carried(name, request, self.judged(question))
            }
            _ => self.judged(question),
        };
        if answer.allowed {
            answer.notes.extend(self.unreadable());
        }
        answer
    }

    /// What keeps every call from starting.
    fn unreadable(&self) -> Vec<String> {
        let all = self.setting.unreadable.into_iter().flatten();
        let granted = all.filter(|(name, _)| self.effective.grants.secrets.contains(name));
        let told = granted.map(|(name, why)| {
            format!("but no call starts: the secret `{name}` cannot be read: {why}")
        });
        told.collect()
    }

    fn judged(&self, question: &Question<'_>) -> Answer {
        let item = match judgement::judge_in(self, &self.effective.grants, question) {
            Ok(item) => item,
            Err(denied) => return self.denied(question, denied),
        };
        let origin = self.effective.grants.origin(&item).cloned();
        let grant = Decider::Grant { item, origin };
        let more = match *question {
            Question::Tool(name) => match callee::judge(&self.setting, name) {
                Ok(notes) => notes,
                Err(why) => {
                    let granted = format!("it is granted by {grant}, which does not change that");
                    return Answer::denied(Decider::Rule(why)).noting(granted);
                }
            },
            Question::Secret { name, request } => {
                judgement::terms(self, name, request.is_none()).collect()
            }
            _ => Vec::new(),
        };
        let mut answer = Answer::allowed(grant);
        answer.notes.extend(self.asked(question));
        answer.notes.extend(more);
        let caution = judgement::caution(&self.setting, question);
        answer.notes.extend(caution.map(str::to_owned));
        answer
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
        let Some(mut more) = denied.allow_with else {
            return Answer::denied(Decider::Rule(denied.why));
        };
        let answer = Answer::denied(Decider::Nothing).noting(denied.why);
        // Would it help? By the same functions, with the grant in place.
        for _ in 0..MAX_TRIES {
            let granted = match self.granted_with(more.clone()) {
                Ok(granted) => granted,
                Err(error) => return answer.noting(error.to_string()),
            };
            let kept = effective(self.manifest, &granted).grants;
            if judgement::judge_in(self, &kept, question).is_ok() {
                let named = (!self.setting.unnamed).then_some(plugin);
                return Answer {
                    allow_with: AllowWith::of(&more, named),
                    ..answer
                };
            }
            match judgement::judge_in(self, &granted, question) {
                Err(Denied {
                    allow_with: Some(other),
                    ..
                }) if other != more => more = other,
                Err(still) => return answer.noting(still.why),
                Ok(_) => {
                    return answer.noting(format!(
                        "the manifest of `{plugin}` does not want it either, so no grant would \
                         allow it"
                    ));
                }
            }
        }
        answer
    }

    /// What is granted and these grants. A directory takes the place of one that has
    /// its name.
    fn granted_with(&self, more: Grants) -> Result<Grants, GrantError> {
        let mut granted = self.granted.clone();
        granted
            .dirs
            .retain(|dir| more.dirs.iter().all(|other| other.guest != dir.guest));
        granted.merge(more)
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

/// The answer about a secret in a request, from those about both.
fn carried(name: &str, request: Answer, secret: Answer) -> Answer {
    if request.allowed {
        return secret.noting(request.decider.to_string());
    }
    let said = format!("the request that would carry `{name}` is not allowed");
    if secret.allowed {
        return request.noting(said);
    }
    let mut both = request.noting(said);
    both.notes.push(match &secret.decider {
        Decider::Nothing => format!("nothing grants `{name}` either"),
        decider => format!("nor would `{name}` be sent: {decider}"),
    });
    both.notes.extend(secret.notes);
    both.allow_with = match (both.allow_with, secret.allow_with) {
        (Some(one), Some(other)) => Some(one.and(&other)),
        _ => None,
    };
    both
}

#[cfg(test)]
mod tests;
