package touchline.api.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The series of a metrics page, and what expressions of Prometheus ask of them.
 *
 * @param labels names of labels by series
 * @param families names by {@code # TYPE}
 */
record Observed(Map<String, Set<String>> labels, Set<String> families) {
    private static final Pattern SAMPLE =
            Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)\\})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)\\s*(?:=~|!~|!=|=)\\s*\"");
    private static final Pattern SELECTOR =
            Pattern.compile("\\b((?:touchline|process|system|jvm)_\\w+|up)\\b(?:\\{([^}]*)\\})?");

    /** Prometheus adds these itself. */
    private static final Set<String> OF_PROMETHEUS = Set.of("job", "instance");

    static Observed of(String page) {
        Map<String, Set<String>> labels = new TreeMap<>();
        Set<String> families = new TreeSet<>();
        for (String line : page.lines().toList()) {
            if (line.startsWith("# TYPE ")) {
                families.add(line.split(" ", -1)[2]);
            }
            Matcher sample = SAMPLE.matcher(line);
            if (!line.startsWith("#") && sample.matches()) {
                Set<String> names = labels.computeIfAbsent(sample.group(1), _ -> new TreeSet<>());
                Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
                while (label.find()) {
                    names.add(label.group(1));
                }
            }
        }
        return new Observed(labels, families);
    }

    /** Series and labels of an expression that the page does not have. */
    List<String> unknown(String expression) {
        List<String> unknown = new ArrayList<>();
        Matcher selector = SELECTOR.matcher(expression);
        int found = 0;
        while (selector.find()) {
            found++;
            String series = selector.group(1);
            if (series.equals("up")) {
                continue;
            }
            Set<String> names = labels.get(series);
            if (names == null) {
                unknown.add(series);
                continue;
            }
            Matcher label = LABEL.matcher(selector.group(2) == null ? "" : selector.group(2));
            while (label.find()) {
                if (!names.contains(label.group(1)) && !OF_PROMETHEUS.contains(label.group(1))) {
                    unknown.add(series + "{" + label.group(1) + "}");
                }
            }
        }
        if (found == 0) {
            unknown.add("no series in: " + expression);
        }
        return unknown;
    }
}
