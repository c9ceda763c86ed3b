package touchline.api.app;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of {@code promtool check metrics} for the text format of Prometheus. */
final class MetricRules {
    private static final Pattern HELP = Pattern.compile("# HELP (\\S+) ?(.*)");
    private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern LABEL = Pattern.compile("[{,]([a-zA-Z_]\\w*)=\"");
    private static final Set<String> ABBREVIATIONS =
            Set.of("s", "ms", "us", "ns", "sec", "b", "kb", "mb", "gb", "tb", "pb", "m", "h", "d");
    private static final Set<String> TYPES = Set.of("gauge", "counter", "histogram", "summary");

    private final Map<String, String> help = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private MetricRules() {}

    /** One line for each fault. */
    static List<String> faults(String metrics) {
        MetricRules rules = new MetricRules();
        metrics.lines().forEach(rules::look);
        return rules.faults;
    }

    private void look(String line) {
        Matcher helped = HELP.matcher(line);
        if (helped.matches()) {
            help.put(helped.group(1), helped.group(2).strip());
        }
        Matcher typed = TYPE.matcher(line);
        if (typed.matches()) {
            check(typed.group(1), typed.group(2));
        }
        if (!line.startsWith("#")) {
            Matcher label = LABEL.matcher(line);
            while (label.find()) {
                require(
                        label.group(1).equals(label.group(1).toLowerCase(Locale.ROOT)),
                        line,
                        "camel case");
            }
        }
    }

    private void check(String name, String type) {
        List<String> words = List.of(name.split("_"));
        require(!help.getOrDefault(name, "").isEmpty(), name, "no help text");
        require(type.equals("counter") == name.endsWith("_total"), name, "_total and " + type);
        boolean hasParts = type.equals("histogram") || type.equals("summary");
        require(hasParts || !name.matches(".*_(count|sum|bucket)"), name, "suffix of a histogram");
        require(
                name.equals(name.toLowerCase(Locale.ROOT)) && !name.contains(":"),
                name,
                "characters");
        require(!TYPES.contains(words.getLast()), name, "type in the name");
        for (String word : words) {
            require(!ABBREVIATIONS.contains(word), name, "abbreviated unit");
            require(!word.matches("(milli|micro|nano|kilo|mega|giga).+"), name, "no base unit");
            require(!word.matches("minutes|hours|days|weeks|bits"), name, "no base unit");
        }
    }

    private void require(boolean kept, String name, String rule) {
        if (!kept) {
            faults.add(name + ": " + rule);
        }
    }
}
