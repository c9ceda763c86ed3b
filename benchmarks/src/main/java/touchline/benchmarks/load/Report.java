package touchline.benchmarks.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * What a benchmark found: tables for people, printed as Markdown, and the same figures as one JSON
 * file for programs. Owned by one thread.
 */
public final class Report {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final PrintStream out;
    private final ObjectNode root = JSON.createObjectNode();
    private final StringBuilder tables = new StringBuilder();

    public Report(String name, PrintStream out) {
        this.name = name;
        this.out = out;
        root.put("benchmark", name);
        root.put("started_at", Instant.now().toString());
        root.put("cpus", Runtime.getRuntime().availableProcessors());
    }

    /** A line about what happens now. */
    public void note(String format, Object... arguments) {
        out.printf(Locale.ROOT, format + "%n", arguments);
    }

    /**
     * @param key the table's name in the JSON file
     * @param columns as many as each row has cells: texts, whole numbers or fractions
     */
    public void table(String key, List<String> columns, List<List<Object>> rows) {
        ArrayNode array = root.putArray(key);
        tables.append('\n').append("| ").append(String.join(" | ", columns)).append(" |\n");
        tables.append("|---".repeat(columns.size())).append("|\n");
        for (List<Object> row : rows) {
            ObjectNode object = array.addObject();
            tables.append('|');
            for (int i = 0; i < columns.size(); i++) {
                object.putPOJO(columns.get(i), row.get(i));
                tables.append(' ').append(shown(row.get(i))).append(" |");
            }
            tables.append('\n');
        }
    }

    /** Prints the tables and writes the JSON file into a folder; what each name was is kept. */
    public void finish(Path folder) throws IOException {
        out.print(tables);
        Files.createDirectories(folder);
        String moment = root.path("started_at").asText().replaceAll("[:.]", "");
        Path file = folder.resolve(name + "-" + moment + ".json");
        JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), root);
        out.println();
        out.println("result file: " + file);
    }

    /** Three digits that count, at least. */
    private static String shown(Object cell) {
        if (!(cell instanceof Double number)) {
            return cell.toString();
        }
        double size = Math.abs(number);
        int digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + digits + "f", number);
    }
}
