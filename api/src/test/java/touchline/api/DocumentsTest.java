package touchline.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import touchline.api.domain.Scope;

/** Compares the documents with the build, the repository and each other. */
final class DocumentsTest {
    private static final Pattern COORDINATE =
            Pattern.compile("<groupId>([^<]+)</groupId>\\s*<artifactId>([^<]+)</artifactId>");
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)` \\|.*");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)[^)]*\\)");

    private static final Pattern SENTENCE_END =
            Pattern.compile("(?<=[.:;])\\s+|\\n\\s*\\n|\\n\\s*(?=[-\\d])");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern CLASS_NAME =
            Pattern.compile("`(?:[a-z]+\\.)*([A-Z][A-Za-z0-9]+)`");

    @Test
    void dependencies_ofThePoms_eachHaveTheirLine() throws IOException {
        TreeSet<String> used = new TreeSet<>();
        List<Path> poms = new ArrayList<>(List.of(SourceTree.ROOT.resolve("pom.xml")));
        for (Path module : SourceTree.modules()) {
            poms.add(module.resolve("pom.xml"));
        }
        for (Path pom : poms) {
            Matcher coordinates = COORDINATE.matcher(withoutExclusions(pom));
            while (coordinates.find()) {
                if (!coordinates.group(1).equals("dev.touchline")) {
                    used.add(coordinates.group(1) + ":" + coordinates.group(2));
                }
            }
        }
        TreeSet<String> documented = new TreeSet<>();
        for (String line : Files.readAllLines(SourceTree.ROOT.resolve("docs/dependencies.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                documented.add(row.group(1));
            }
        }

        assertTrue(used.size() > 20, "the poms were not read");
        assertEquals(String.join("\n", used), String.join("\n", documented));
    }

    /** An exclusion is no dependency. */
    private static String withoutExclusions(Path pom) throws IOException {
        return Files.readString(pom).replaceAll("(?s)<exclusions>.*?</exclusions>", "");
    }

    /** The console names the same token where a scope is missing. */
    @Test
    void tokenOfTheReadme_opensEveryPageOfTheConsole() throws IOException {
        String all =
                Arrays.stream(Scope.values()).map(Scope::wireName).collect(Collectors.joining(","));
        String console = "api/src/main/resources/console/js/console.js";

        for (String file : List.of("README.md", console)) {
            String text = Files.readString(SourceTree.ROOT.resolve(file));
            assertTrue(text.contains(all), file + " does not contain " + all);
        }
    }

    @Test
    void links_betweenDocuments_leadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path document : documents()) {
            Matcher links = LINK.matcher(Files.readString(document));
            while (links.find()) {
                String target = links.group(1);
                if (!target.contains("://") && !Files.exists(document.resolveSibling(target))) {
                    broken.add(SourceTree.shortName(document) + ": " + target);
                }
            }
        }

        assertEquals(List.of(), broken);
    }

    @Test
    void classes_thatTheArchitectureNames_exist() throws IOException {
        TreeSet<String> classes = new TreeSet<>();
        for (String kind : List.of("main", "test")) {
            for (Path file : SourceTree.javaFiles(kind)) {
                classes.add(String.valueOf(file.getFileName()).replace(".java", ""));
            }
        }
        TreeSet<String> unknown = new TreeSet<>();
        for (String page : List.of("docs/architecture.md", "docs/glossary.md")) {
            Matcher names = CLASS_NAME.matcher(Files.readString(SourceTree.ROOT.resolve(page)));
            while (names.find()) {
                unknown.add(names.group(1));
            }
        }

        assertTrue(unknown.size() > 50, "the pages name no classes");
        unknown.removeAll(classes);
        assertEquals(new TreeSet<String>(), unknown);
    }

    @Test
    void readme_hasNoSentenceAbove25Words() throws IOException {
        String text =
                Files.readString(SourceTree.ROOT.resolve("README.md"))
                        .replaceAll("(?s)```.*?```", "")
                        .replaceAll("(?m)^[|#].*$", "")
                        .replaceAll("\\]\\([^)]*\\)", "]");
        List<String> tooLong = new ArrayList<>();
        SENTENCE_END
                .splitAsStream(text)
                .map(String::strip)
                .filter(sentence -> SPACE.splitAsStream(sentence).count() > 25)
                .forEach(tooLong::add);

        assertEquals(List.of(), tooLong);
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(SourceTree.ROOT);
                Stream<Path> docs = Files.walk(SourceTree.ROOT.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
