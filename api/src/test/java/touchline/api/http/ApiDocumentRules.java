package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Rules of the OpenAPI document that code generators depend on. Each fault is a line with its
 * place. One use.
 */
final class ApiDocumentRules {
    private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");

    private static final Set<String> SCHEMA =
            Set.of(
                    "$ref",
                    "additionalProperties",
                    "anyOf",
                    "const",
                    "description",
                    "discriminator",
                    "enum",
                    "exclusiveMinimum",
                    "format",
                    "items",
                    "maxItems",
                    "maxLength",
                    "maxProperties",
                    "maximum",
                    "minItems",
                    "minLength",
                    "minProperties",
                    "minimum",
                    "multipleOf",
                    "oneOf",
                    "pattern",
                    "properties",
                    "required",
                    "type");
    private static final Set<String> OPERATION =
            Set.of(
                    "description",
                    "operationId",
                    "parameters",
                    "requestBody",
                    "responses",
                    "security",
                    "summary",
                    "tags",
                    "x-internal");
    private static final Set<String> PARAMETER =
            Set.of("$ref", "description", "in", "name", "required", "schema");
    private static final Set<String> RESPONSE = Set.of("$ref", "content", "description", "headers");
    private static final Set<String> MEDIA_TYPE = Set.of("example", "schema");
    private static final Set<String> BODY = Set.of("content", "required");
    private static final Set<String> HEADER = Set.of("$ref", "description", "required", "schema");

    private final JsonNode document;
    private final List<String> faults = new ArrayList<>();
    private final Set<String> used = new TreeSet<>();
    private final Set<String> operationIds = new TreeSet<>();

    ApiDocumentRules(JsonNode document) {
        this.document = document;
    }

    /** Returns the faults; empty for a good document. */
    List<String> check() {
        for (String section : List.of("paths", "webhooks")) {
            for (Map.Entry<String, JsonNode> path : document.path(section).properties()) {
                keys(path.getKey(), path.getValue(), METHODS);
                path.getValue()
                        .properties()
                        .forEach(
                                it ->
                                        operation(
                                                section,
                                                it.getKey() + " " + path.getKey(),
                                                it.getValue()));
            }
        }
        JsonNode components = document.path("components");
        each(components, "schemas", this::schema);
        each(components, "parameters", this::parameter);
        each(components, "headers", this::header);
        each(components, "responses", this::response);
        for (String kind : List.of("schemas", "parameters", "headers", "responses")) {
            for (Map.Entry<String, JsonNode> it : components.path(kind).properties()) {
                if (!used.contains("#/components/" + kind + "/" + it.getKey())) {
                    faults.add(kind + "/" + it.getKey() + ": not used");
                }
            }
        }
        return faults;
    }

    private interface Rule {
        void check(String place, JsonNode node);
    }

    private static void each(JsonNode parent, String name, Rule rule) {
        parent.path(name)
                .properties()
                .forEach(it -> rule.check(name + "/" + it.getKey(), it.getValue()));
    }

    private void operation(String section, String place, JsonNode operation) {
        keys(place, operation, OPERATION);
        for (String name : List.of("operationId", "summary", "tags", "responses", "security")) {
            if (!operation.has(name)) {
                faults.add(place + ": no " + name);
            }
        }
        if (!operationIds.add(operation.path("operationId").asText())) {
            faults.add(place + ": its operationId exists");
        }
        // openapi-generator makes a broken class of the methods.
        if (section.equals("webhooks") && !operation.path("x-internal").asBoolean()) {
            faults.add(place + ": a webhook that is not x-internal");
        }
        operation.path("parameters").forEach(it -> parameter(place, it));
        keys(place + " body", operation.path("requestBody"), BODY);
        content(place + " body", operation.path("requestBody"));
        operation
                .path("responses")
                .properties()
                .forEach(it -> response(place + " " + it.getKey(), it.getValue()));
    }

    private void parameter(String place, JsonNode parameter) {
        keys(place, parameter, PARAMETER);
        if (!isReference(place, parameter)) {
            // A parameter's default makes no field of a generated class.
            boolean inPath = parameter.path("in").asText().equals("path");
            if (inPath && !parameter.path("required").asBoolean()) {
                faults.add(place + ": a path parameter is required");
            }
            JsonNode schema = parameter.path("schema").deepCopy();
            if (schema instanceof com.fasterxml.jackson.databind.node.ObjectNode object) {
                object.remove("default");
            }
            schema(place, schema);
        }
    }

    private void header(String place, JsonNode header) {
        keys(place, header, HEADER);
        if (!isReference(place, header)) {
            schema(place, header.path("schema"));
        }
    }

    private void response(String place, JsonNode response) {
        keys(place, response, RESPONSE);
        if (!isReference(place, response)) {
            if (!response.has("description")) {
                faults.add(place + ": no description");
            }
            each(response, "headers", this::header);
            content(place, response);
        }
    }

    private void content(String place, JsonNode parent) {
        for (Map.Entry<String, JsonNode> type : parent.path("content").properties()) {
            keys(place + " " + type.getKey(), type.getValue(), MEDIA_TYPE);
            JsonNode schema = type.getValue().path("schema");
            if (schema.has("properties")) {
                faults.add(place + ": a class without a name");
            }
            schema(place, schema);
        }
    }

    private void schema(String place, JsonNode schema) {
        if (!schema.isObject()) {
            faults.add(place + ": " + schema + " (expected: a schema)");
            return;
        }
        // Text behind a comma in {…} becomes a key of its own. A default makes a generated class
        // send the field, or require it.
        keys(place, schema, SCHEMA);
        if (isReference(place, schema)) {
            if (schema.size() > (schema.has("description") ? 2 : 1)) {
                faults.add(place + ": a reference with more than a description beside it");
            }
            return;
        }
        types(place, schema);
        each(schema, "properties", (name, it) -> member(place + " " + name, it));
        if (schema.has("items")) {
            member(place + " items", schema.path("items"));
        }
        Stream.of("oneOf", "anyOf")
                .forEach(kind -> schema.path(kind).forEach(it -> alternative(place, it)));
        if (schema.path("additionalProperties").isObject()) {
            member(place + " additionalProperties", schema.path("additionalProperties"));
        }
    }

    /** Generators invent names of classes for schemas inside of others. */
    private void member(String place, JsonNode schema) {
        if (schema.has("properties")) {
            faults.add(place + ": a class without a name");
        }
        schema(place, schema);
    }

    private void alternative(String place, JsonNode schema) {
        if (!schema.path("type").asText().equals("null")) {
            member(place, schema);
        }
    }

    private void types(String place, JsonNode schema) {
        String type = schema.path("type").asText();
        boolean composed = schema.has("oneOf") || schema.has("anyOf");
        if (!schema.has("type") && !composed) {
            faults.add(place + ": no type");
        }
        if (schema.path("const").isBoolean()) {
            faults.add(place + ": a boolean constant");
        }
        if (type.equals("null")) {
            faults.add(place + ": type null");
        }
        schema.path("enum")
                .forEach(
                        value -> {
                            if (value.isNull()) {
                                faults.add(place + ": null in an enum");
                            }
                        });
        if (type.equals("object")
                && !schema.has("properties")
                && !schema.has("additionalProperties")) {
            faults.add(place + ": an object without properties or additionalProperties");
        }
    }

    private boolean isReference(String place, JsonNode node) {
        if (!node.has("$ref")) {
            return false;
        }
        String target = node.path("$ref").asText();
        if (!target.startsWith("#/") || document.at(target.substring(1)).isMissingNode()) {
            faults.add(place + ": " + target + " does not exist");
        }
        used.add(target);
        return true;
    }

    private void keys(String place, JsonNode node, Set<String> allowed) {
        node.fieldNames()
                .forEachRemaining(
                        key -> {
                            if (!allowed.contains(key)) {
                                faults.add(place + ": " + key + " is not allowed");
                            }
                        });
    }
}
