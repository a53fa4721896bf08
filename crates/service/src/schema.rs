//! The JSON schemas in docs/: that of the questions is made here, that of the answers is kept by hand; both are
//! held against what the program does. `UPDATE_SCHEMA=1 cargo test -p nimatron-service schema` writes the first anew.

#![allow(clippy::disallowed_methods, reason = "tests read the schemas")]

use crate::units::{Size, Time};
use crate::{Heights, Host, Request, answer};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::PathBuf;

impl JsonSchema for Heights {
    fn schema_name() -> Cow<'static, str> {
        "Heights".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "anyOf": [
                { "type": "string" },
                { "type": "integer" },
                { "type": "array", "items": { "type": "integer" } }
            ]
        })
    }
}

impl JsonSchema for Time {
    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "A time: 500ms, 30s, 5m, 1h" })
    }
}

impl JsonSchema for Size {
    fn schema_name() -> Cow<'static, str> {
        "Size".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "description": "A size: 500MB, 2GB, 1GiB" })
    }
}

fn document(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// The schema of all questions.
fn requests() -> Value {
    let mut definitions = serde_json::Map::new();
    let mut questions = Vec::new();
    for (name, schema) in Request::schemas() {
        let name = name.to_lowercase();
        let mut schema = schema.to_value();
        let object = schema.as_object_mut().unwrap();
        object.remove("$schema");
        object.remove("title");
        if let Some(Value::Object(more)) = object.remove("$defs") {
            for (name, definition) in more {
                let known = definitions.insert(name.clone(), definition.clone());
                assert!(known.is_none_or(|known| known == definition), "two kinds of {name}");
            }
        }
        object["properties"]
            .as_object_mut()
            .unwrap()
            .insert("ask".into(), json!({ "const": name }));
        let required = object.entry("required").or_insert_with(|| json!([]));
        required.as_array_mut().unwrap().insert(0, json!("ask"));
        questions.push(schema);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A question to Nimatron",
        "oneOf": questions,
        "$defs": definitions,
    })
}

#[test]
fn the_schema_of_questions_is_that_of_the_program() {
    let path = document("requests.schema.json");
    let made = serde_json::to_string_pretty(&requests()).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == made, "run UPDATE_SCHEMA=1 cargo test -p nimatron-service schema");
}

/// One question per line; the answers to all are looked at.
fn questions() -> Vec<String> {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus/protocol/questions.jsonl");
    std::fs::read_to_string(path).unwrap().lines().map(str::to_string).collect()
}

#[test]
fn questions_and_answers_fit_their_schemas() {
    let asked = requests();
    let told: Value =
        serde_json::from_str(&std::fs::read_to_string(document("answers.schema.json")).unwrap())
            .unwrap();
    let host = Host::default();
    let mut names = std::collections::BTreeSet::new();
    for question in questions() {
        let value: Value = serde_json::from_str(&question).unwrap();
        let name = value["ask"].as_str().unwrap_or("none").to_string();
        let answer = answer(&question, &host);
        let readable = Request::read(&question).is_ok();
        let kinds = asked["oneOf"].as_array().unwrap();
        let fits = kinds.iter().any(|one| fit(&value, one, &asked).is_ok());
        // What a text must be like is for its reader to say, so more fits than can be read.
        assert!(fits || !readable, "{question}: {}", answer.body);
        assert!(readable || answer.status == crate::Status::BadInput, "{question}");
        let body: Value = serde_json::from_str(&answer.body).unwrap();
        let which = if body.get("error").is_some() { "error" } else { &name };
        let schema = &told["$defs"][which];
        assert!(schema.is_object(), "no schema for {which}");
        if let Err(problem) = fit(&body, schema, &told) {
            panic!("{question}\n{}\n{problem}", answer.body);
        }
        names.insert(which.to_string());
    }
    for (name, _) in Request::schemas() {
        assert!(names.contains(&name.to_lowercase()), "nobody asks for {name}");
    }
}

/// Whether a value fits a schema: as much of the language as ours use, and nothing else.
fn fit(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    let object = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Object(object) => object,
        other => return Err(format!("no schema: {other}")),
    };
    for (word, said) in object {
        let ok = match word.as_str() {
            "$ref" => {
                let name = said.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
                let definition = &root["$defs"][name];
                assert!(definition.is_object(), "no definition {name}");
                fit(value, definition, root)?;
                true
            }
            "type" => {
                let is = |name: &str| match name {
                    "null" => value.is_null(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64() || value.is_i64(),
                    "number" => value.is_number(),
                    "string" => value.is_string(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("type {other}"),
                };
                match said {
                    Value::String(name) => is(name),
                    Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
                    other => panic!("type {other}"),
                }
            }
            "const" => value == said,
            "enum" => said.as_array().unwrap().contains(value),
            "anyOf" | "oneOf" => {
                said.as_array().unwrap().iter().any(|one| fit(value, one, root).is_ok())
            }
            "required" => value.as_object().is_none_or(|fields| {
                said.as_array()
                    .unwrap()
                    .iter()
                    .all(|name| fields.contains_key(name.as_str().unwrap()))
            }),
            "properties" => {
                for (name, one) in said.as_object().unwrap() {
                    if let Some(inner) = value.get(name) {
                        fit(inner, one, root).map_err(|problem| format!("{name}: {problem}"))?;
                    }
                }
                true
            }
            "additionalProperties" => value.as_object().is_none_or(|fields| match said {
                Value::Bool(false) => {
                    let known = object["properties"].as_object().unwrap();
                    fields.keys().all(|name| known.contains_key(name))
                }
                _ => true,
            }),
            "items" => {
                for inner in value.as_array().into_iter().flatten() {
                    fit(inner, said, root)?;
                }
                true
            }
            "minItems" => {
                value.as_array().is_none_or(|list| list.len() as u64 >= said.as_u64().unwrap())
            }
            "maxItems" => {
                value.as_array().is_none_or(|list| list.len() as u64 <= said.as_u64().unwrap())
            }
            "minimum" => value.as_f64().is_none_or(|n| n >= said.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|n| n <= said.as_f64().unwrap()),
            "description" | "default" | "format" | "title" | "$schema" | "$defs" => true,
            other => panic!("the word {other} of schemas is not known here"),
        };
        if !ok {
            let shown: String = value.to_string().chars().take(200).collect();
            return Err(format!("{word} {said}: {shown}"));
        }
    }
    Ok(())
}
