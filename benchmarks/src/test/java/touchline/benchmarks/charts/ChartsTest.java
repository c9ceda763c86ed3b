package touchline.benchmarks.charts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.benchmarks.charts.BarChart.Bar;
import touchline.benchmarks.charts.BarChart.Group;

class ChartsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path FIGURES = DOCS.resolve("performance.json");

    @TempDir private Path folder;

    @Test
    void write_figuresOfTheDocuments_areTheChartsOfTheDocuments() throws IOException {
        for (Path chart : Charts.write(FIGURES, folder)) {
            Path shown = DOCS.resolve("images").resolve(chart.getFileName().toString());
            assertEquals(Files.readString(shown), Files.readString(chart), shown::toString);
        }
    }

    @Test
    void charts_ofTheDocuments_areAllShown() throws IOException {
        String page = Files.readString(DOCS.resolve("performance.md"));
        for (BarChart chart : Charts.read(FIGURES)) {
            assertTrue(page.contains("(images/" + chart.file() + ")"), chart::file);
        }
    }

    @Test
    void svg_valuesAndMarkup_areScaledAndEscaped() {
        Bar half = new Bar("a < b", new BigDecimal("1000"), /* own= */ true);
        Bar whole = new Bar("c", new BigDecimal("2000"), /* own= */ false);
        Group group = new Group("", List.of(half, whole));
        BarChart chart =
                new BarChart("f.svg", "R & D", "ms", "bench", "2026-11-22", List.of(group));

        String svg = chart.svg();

        assertTrue(svg.contains("<title>R &amp; D: ms</title>"), svg);
        assertTrue(svg.contains(">a &lt; b</text>\n<rect class=\"own\""), svg);
        assertTrue(svg.contains("width=\"182\" height=\"14\""), svg);
        assertTrue(svg.contains("width=\"364\" height=\"14\""), svg);
        assertTrue(svg.contains(">1,000</text>"), svg);
    }
}
