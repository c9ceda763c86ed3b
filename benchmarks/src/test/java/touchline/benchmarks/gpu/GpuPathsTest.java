package touchline.benchmarks.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.benchmarks.load.Arguments;
import touchline.benchmarks.load.Report;

final class GpuPathsTest {
    /**
     * On a host without a card each path of a card is skipped with its reason; with one it runs.
     */
    @Test
    void everyPath_hasARow_andEachSkippedOneAReason(@TempDir Path folder) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Report report =
                new Report("gpu", new PrintStream(out, true, StandardCharsets.UTF_8), folder);

        assertEquals(0, new GpuPaths(new Arguments(List.of("1")), report).run());
        report.finish();

        String text = out.toString(StandardCharsets.UTF_8);
        for (String path :
                List.of(
                        "encode H.264, nvenc",
                        "encode H.264, x264",
                        "decode H.264, nvdec",
                        "decode H.264, software",
                        "decode and encode, nvdec to nvenc",
                        "NVENC sessions at the same time",
                        "renditions and scoreboards on the card",
                        "inference by CUDA")) {
            String row =
                    text.lines()
                            .filter(line -> line.startsWith("| " + path + " |"))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError(path + " is missing in " + text));
            boolean reasoned = !row.endsWith("|  |");
            assertTrue(!row.contains("| skipped |") || reasoned, row);
        }
    }
}
