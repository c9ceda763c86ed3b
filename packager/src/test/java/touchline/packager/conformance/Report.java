package touchline.packager.conformance;

import java.util.ArrayList;
import java.util.List;

/** Collects findings, at most {@value #MAX_FINDINGS}: one fault repeats in every playlist. */
final class Report {
    private static final int MAX_FINDINGS = 100;
    private static final int EXCERPT_LINES = 3;

    private final List<Finding> findings = new ArrayList<>();
    private String text = "";

    /** What excerpts are taken from until the next call. */
    void reading(String playlist) {
        text = playlist;
    }

    /**
     * @param near text of a line; the excerpt stands around the first line that holds it
     */
    void add(Rule rule, String near, String message) {
        if (findings.size() < MAX_FINDINGS) {
            findings.add(new Finding(rule, message, excerpt(near)));
        }
    }

    int size() {
        return findings.size();
    }

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    private String excerpt(String near) {
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(near)) {
                int from = Math.max(0, i - EXCERPT_LINES);
                int to = Math.min(lines.size(), i + EXCERPT_LINES + 1);
                return String.join("\n", lines.subList(from, to));
            }
        }
        return String.join("\n", lines.subList(0, Math.min(lines.size(), 2 * EXCERPT_LINES)));
    }
}
