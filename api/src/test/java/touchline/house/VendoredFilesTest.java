package touchline.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files that others made or that no person can read: their checksums and origins are written. */
class VendoredFilesTest {
    private static final Path LIST = SourceTree.ROOT.resolve("docs/vendored.md");
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|.*\\| ([0-9a-f]{64}) \\|");

    /**
     * Fonts, models, built scripts, and scripts and style sheets below {@code vendor} and {@code
     * players}.
     */
    private static final Pattern VENDORED =
            Pattern.compile(
                    ".*\\.(woff2?|ttf|otf|pt|pt\\.gz|onnx|wasm|jar|so)"
                            + "|.*[.-](min|hls)\\.m?js|.*/(vendor|players)/.*\\.(m?js|css)");

    /** A row of the README beside such files. */
    private static final Pattern README_ROW =
            Pattern.compile("\\| (\\S+) \\|.*\\| ([0-9a-f]{64}) \\|");

    @Test
    void list_namesEachFileWithItsChecksum() throws Exception {
        Map<String, String> listed = rows(LIST, ROW);
        Map<String, String> found = new TreeMap<>();
        for (Path file : vendored()) {
            found.put(SourceTree.shortName(file), sha256(file));
        }

        assertTrue(found.size() > 10, "the tree was not read");
        assertEquals(lines(found), lines(listed));
    }

    @Test
    void readmesBesideFiles_haveTheSameChecksums() throws Exception {
        int checked = 0;
        TreeSet<Path> folders = new TreeSet<>();
        for (Path file : vendored()) {
            folders.add(file.getParent());
        }
        for (Path folder : folders) {
            Path readme = folder.resolve("README.md");
            if (Files.exists(readme)) {
                for (Map.Entry<String, String> row : rows(readme, README_ROW).entrySet()) {
                    assertEquals(
                            sha256(folder.resolve(row.getKey())), row.getValue(), row.getKey());
                    checked++;
                }
            }
        }
        assertTrue(checked > 5, "no README was read");
    }

    private static List<Path> vendored() throws IOException {
        List<Path> roots = new ArrayList<>(List.of(SourceTree.ROOT.resolve("config/models")));
        for (Path module : SourceTree.modules()) {
            roots.add(module.resolve("src"));
        }
        List<Path> files = new ArrayList<>();
        for (Path root : roots) {
            if (Files.isDirectory(root)) {
                try (Stream<Path> walk = Files.walk(root)) {
                    walk.filter(Files::isRegularFile)
                            .filter(file -> VENDORED.matcher(file.toString()).matches())
                            .forEach(files::add);
                }
            }
        }
        return files;
    }

    private static Map<String, String> rows(Path document, Pattern row) throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (String line : Files.readAllLines(document)) {
            Matcher matcher = row.matcher(line);
            if (matcher.matches()) {
                rows.put(matcher.group(1), matcher.group(2));
            }
        }
        return rows;
    }

    private static String sha256(Path file) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    }

    private static String lines(Map<String, String> rows) {
        StringBuilder text = new StringBuilder();
        rows.forEach((file, sum) -> text.append(file).append(' ').append(sum).append('\n'));
        return text.toString();
    }
}
