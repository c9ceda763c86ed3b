package touchline.benchmarks.charts;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the bar charts of a JSON file of figures as SVG files. Stateless. */
public final class Charts {
    private Charts() {}

    /** The JSON file. */
    private record Figures(List<BarChart> charts) {}

    /**
     * @param figures a JSON object with a list {@code charts}
     * @param folder for one file per chart
     * @return the written files
     */
    public static List<Path> write(Path figures, Path folder) throws IOException {
        Files.createDirectories(folder);
        List<Path> written = new ArrayList<>();
        for (BarChart chart : read(figures)) {
            Path file = folder.resolve(chart.file());
            written.add(Files.writeString(file, chart.svg()));
        }
        return written;
    }

    static List<BarChart> read(Path figures) throws IOException {
        return new ObjectMapper().readValue(figures.toFile(), Figures.class).charts();
    }
}
