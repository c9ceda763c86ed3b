package touchline.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
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
    private static final Pattern LINK =
            Pattern.compile("\\]\\((?<page>[^)#\\s]*)(?:#(?<heading>[^)\\s]+))?[^)]*\\)");

    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?) *$");
    private static final Pattern NO_SLUG = Pattern.compile("[^\\p{L}\\p{N} _-]");
    private static final Pattern BENCHMARK = Pattern.compile("Map\\.entry\\(\"([a-z-]+)\"");

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

    /**
     * A link to a file of the project.
     *
     * @param page the file it leads to
     * @param heading empty: none
     */
    private record Link(Path document, Path page, String heading) {
        @Override
        public String toString() {
            return SourceTree.shortName(document) + ": " + page.getFileName() + "#" + heading;
        }
    }

    private static List<Link> links() throws IOException {
        List<Link> found = new ArrayList<>();
        for (Path document : documents()) {
            Matcher links = LINK.matcher(Files.readString(document));
            while (links.find()) {
                String page = links.group("page");
                String heading = Objects.requireNonNullElse(links.group("heading"), "");
                if (!page.contains("://") && !(page + heading).isEmpty()) {
                    Path target = page.isEmpty() ? document : document.resolveSibling(page);
                    found.add(new Link(document, target.normalize(), heading));
                }
            }
        }
        return found;
    }

    @Test
    void links_betweenDocuments_leadSomewhere() throws IOException {
        assertEquals(
                List.of(), links().stream().filter(link -> !Files.exists(link.page())).toList());
    }

    @Test
    void links_toAHeading_haveIt() throws IOException {
        Map<Path, List<String>> headings = new HashMap<>();
        List<Link> broken = new ArrayList<>();
        int seen = 0;
        for (Link link : links()) {
            Path page = link.page();
            if (!link.heading().isEmpty() && page.toString().endsWith(".md")) {
                seen++;
                List<String> has = headings.get(page);
                if (has == null) {
                    has = headings(page);
                    headings.put(page, has);
                }
                if (!has.contains(link.heading())) {
                    broken.add(link);
                }
            }
        }

        assertTrue(seen > 100, "links were not found");
        assertEquals(List.of(), broken);
    }

    /** As the forges name them: in small letters, without punctuation. */
    private static List<String> headings(Path page) throws IOException {
        String text = Files.readString(page).replaceAll("(?ms)^ *```.*?^ *```", "");
        return HEADING.matcher(text)
                .results()
                .map(each -> each.group(1).toLowerCase(Locale.ROOT))
                .map(each -> NO_SLUG.matcher(each).replaceAll("").replace(' ', '-'))
                .toList();
    }

    @Test
    void packages_areAllInTheArchitecture() throws IOException {
        String text = Files.readString(SourceTree.ROOT.resolve("docs/architecture.md"));
        TreeSet<String> missing = new TreeSet<>();
        assertTrue(text.contains("`packager.hls`"), "the page was not read");
        for (Path file : SourceTree.javaFiles("main")) {
            String path = SourceTree.shortName(file.resolveSibling(""));
            String name = path.replaceFirst(".*/java/touchline/", "").replace('/', '.');
            if (!name.startsWith("benchmarks") && !text.contains("`" + name + "`")) {
                missing.add(name);
            }
        }

        assertEquals(new TreeSet<String>(), missing);
    }

    @Test
    void benchmarks_areAllInTheLauncherPage() throws IOException {
        String page = Files.readString(SourceTree.ROOT.resolve("docs/launcher.md"));
        List<String> all =
                BENCHMARK
                        .matcher(
                                Files.readString(
                                        SourceTree.ROOT.resolve(
                                                "benchmarks/src/main/java/touchline/benchmarks/Main.java")))
                        .results()
                        .map(each -> each.group(1))
                        .toList();

        assertTrue(all.size() > 30, "the benchmarks were not found");
        assertEquals(
                List.of(), all.stream().filter(name -> !page.contains("`" + name + "`")).toList());
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
