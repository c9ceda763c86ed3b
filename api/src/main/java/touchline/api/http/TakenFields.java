package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Remembers which fields of a JSON object a call takes, and names the others. One request, one
 * thread.
 */
final class TakenFields {
    private final ObjectNode object;
    private final String path;
    private final Set<String> taken = new LinkedHashSet<>();

    /** Fields of the resource that the call does not take, compared with their values. */
    private final Set<String> compared = new HashSet<>();

    /** By the field's name, then by their paths: one object, or those of an array. */
    private final Map<String, Map<String, TakenFields>> children = new HashMap<>();

    /**
     * @param path of the object in the body; empty for the body itself
     */
    TakenFields(ObjectNode object, String path) {
        this.object = object;
        this.path = path;
    }

    void take(String name) {
        taken.add(name);
    }

    /** The fields of an object in a field; the same each time. */
    TakenFields child(String name, ObjectNode node, String at) {
        return children.computeIfAbsent(name, _ -> new LinkedHashMap<>())
                .computeIfAbsent(at, _ -> new TakenFields(node, at));
    }

    /** See {@link JsonFields#refuseChanges}. */
    void refuseChanges(ObjectNode now, Map<String, String> changedBy, Problems problems) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String name = field.getKey();
            if (!taken.contains(name) && (now.has(name) || changedBy.containsKey(name))) {
                compared.add(name);
                if (!Json.same(field.getValue(), now.path(name))) {
                    String how = changedBy.get(name);
                    problems.invalid(
                            path.isEmpty() ? name : path + "." + name,
                            "not changed by this call ("
                                    + (how == null ? "the server sets it" : "to change it: " + how)
                                    + ")");
                }
            }
        }
    }

    /** See {@link JsonFields#notTaken}. */
    List<String> warnings(JsonNode shown) {
        List<String> texts = new ArrayList<>();
        addWarnings(shown, texts);
        return texts;
    }

    private void addWarnings(JsonNode shown, List<String> texts) {
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            String name = field.getKey();
            if (texts.size() >= UntakenField.MAX_NAMED) {
                return;
            }
            JsonNode shownField = shown.path(name);
            if (taken.contains(name)) {
                children.getOrDefault(name, Map.of())
                        .values()
                        .forEach(child -> child.addWarnings(shownField, texts));
            } else if (!compared.contains(name)) {
                addWarning(name, shownField, texts);
            }
        }
    }

    private void addWarning(String name, JsonNode shownField, List<String> texts) {
        if (shownField.isMissingNode()) {
            texts.add(UntakenField.unknown(path, name, taken));
        } else if (!Json.same(object.get(name), shownField)) {
            texts.add(UntakenField.ofServer(path, name));
        }
    }
}
