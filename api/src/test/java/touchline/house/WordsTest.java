package touchline.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Names and comments use the field's words (docs/glossary.md), and never treat software as a
 * person.
 */
final class WordsTest {
    private static final Set<String> BANNED =
            Set.of(
                    "whoever",
                    "somebody",
                    "nobody",
                    "anybody",
                    "who",
                    "whom",
                    "told",
                    "tell",
                    "tells",
                    "wish",
                    "wishes",
                    "naps",
                    "forgets",
                    "hears",
                    "picture",
                    "pictures",
                    "sound",
                    "sounds",
                    "shelf",
                    "lane",
                    "lanes",
                    "outlet",
                    "errand",
                    "rehearsal",
                    "rehearse",
                    "strangers");

    /** Names of standards, and of the Linux user. */
    private static final Pattern ALLOWED =
            Pattern.compile(
                    "(?i)picture parameter|group of pictures|still_picture|equal_picture"
                            + "|per_picture|numOfPictureParameterSets|AV_PICTURE_TYPE"
                            + "|\\{@code nobody}");

    private static final Pattern TOKEN =
            Pattern.compile(
                    "(?s)\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'"
                            + "|(?<comment>/\\*.*?\\*/|//[^\n]*)|(?<name>[A-Za-z_]\\w*)");

    private static final Pattern WORD = Pattern.compile("[A-Za-z]+");
    private static final Pattern PART = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+(?![a-z])");

    @Test
    void namesAndComments_useTheWordsOfTheField() throws IOException {
        List<Path> files = new ArrayList<>(SourceTree.javaFiles("main"));
        files.addAll(SourceTree.javaFiles("test"));
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            if (!file.endsWith("WordsTest.java")) {
                look(file, found);
            }
        }

        assertTrue(files.size() > 500, "the sources were not found");
        assertEquals("", String.join("\n", found));
    }

    @Test
    void look_findsNamesAndComments_andLeavesTexts() {
        List<String> found = new ArrayList<>();

        look(
                "A.java",
                "/** Who waits. */ class HlsLane { String pictureParameterId = \"told\"; }",
                found);

        assertEquals(
                List.of("A.java: who", "A.java: HlsLane", "A.java: pictureParameterId"), found);
    }

    private static void look(Path file, List<String> found) throws IOException {
        look(SourceTree.shortName(file), Files.readString(file), found);
    }

    private static void look(String name, String source, List<String> found) {
        Matcher tokens = TOKEN.matcher(ALLOWED.matcher(source).replaceAll(""));
        while (tokens.find()) {
            String comment = tokens.group("comment");
            String identifier = tokens.group("name");
            if (comment != null) {
                WORD.matcher(comment)
                        .results()
                        .map(each -> each.group().toLowerCase(Locale.ROOT))
                        .filter(BANNED::contains)
                        .forEach(each -> found.add(name + ": " + each));
            } else if (identifier != null
                    && PART.matcher(identifier)
                            .results()
                            .map(each -> each.group().toLowerCase(Locale.ROOT))
                            .anyMatch(BANNED::contains)) {
                found.add(name + ": " + identifier);
            }
        }
    }
}
