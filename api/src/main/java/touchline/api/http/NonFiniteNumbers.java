package touchline.api.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/**
 * Reports NaN, Infinity, and numbers beyond a double. It builds the path of such a number only, not
 * of every value: the cost is linear in the size of the body. One body, one thread.
 */
final class NonFiniteNumbers {
    /** Limits the length of a reply. */
    private static final int MAX_PATH_CHARS = 512;

    private static final int SHOWN_CHARS = MAX_PATH_CHARS / 2;

    private final Problems problems;

    /** The names and indexes that lead to the current value, the first one first. */
    private final Deque<String> place = new ArrayDeque<>();

    NonFiniteNumbers(Problems problems) {
        this.problems = problems;
    }

    void report(ObjectNode body) {
        check(body);
    }

    private void check(JsonNode node) {
        if (problems.isFull()) {
            return;
        }
        if (node.isNumber()) {
            if (!Double.isFinite(node.doubleValue())) {
                problems.invalid(path(), "not a finite number");
            }
        } else if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                check(place.isEmpty() ? field.getKey() : "." + field.getKey(), field.getValue());
            }
        } else {
            for (int i = 0; i < node.size(); i++) {
                if (node.get(i).isNumber() || node.get(i).isContainerNode()) {
                    check("[" + i + "]", node.get(i));
                }
            }
        }
    }

    private void check(String step, JsonNode node) {
        place.addLast(step);
        check(node);
        place.removeLast();
    }

    private String path() {
        String path = String.join("", place);
        return path.length() > MAX_PATH_CHARS
                ? path.substring(0, SHOWN_CHARS) + "…" + path.substring(path.length() - SHOWN_CHARS)
                : path;
    }
}
