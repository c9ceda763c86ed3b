package touchline.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;

/**
 * Converts media to text, one line per item, and compares it with the text stored under {@code
 * src/test/resources/dumps}. {@code -Dtouchline.dumps=rewrite} stores the new text instead.
 */
public final class Dump {
    private static final String PROPERTY = "touchline.dumps";
    private static final Path FOLDER = Path.of("src", "test", "resources", "dumps");

    private Dump() {}

    /** Returns one line per item, in order. */
    public static String of(List<? extends FeedItem> items) {
        return items.stream().map(Dump::line).collect(Collectors.joining("\n", "", "\n"));
    }

    /** Compares with the stored text of that name, or stores it if the property is set. */
    public static void check(String name, String actual) {
        Path file = FOLDER.resolve(name + ".txt");
        try {
            if (System.getProperty(PROPERTY, "").equals("rewrite")) {
                Files.createDirectories(FOLDER);
                Files.writeString(file, actual);
            }
            assertEquals(Files.readString(file), actual, name);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }

    private static String line(FeedItem item) {
        return switch (item) {
            case Timeline timeline ->
                    "timeline %d start=%dus at=%s tracks=%s"
                            .formatted(
                                    timeline.sequence(),
                                    timeline.startUs(),
                                    timeline.startedAt(),
                                    timeline.tracks().stream().map(Dump::track).toList());
            case AccessUnit unit ->
                    "%s dts=%d pts=%d bytes=%d%s"
                            .formatted(
                                    unit.track().isVideo() ? "video" : "audio",
                                    unit.dtsTicks(),
                                    unit.ptsTicks(),
                                    unit.payload().byteSize(),
                                    unit.isKeyFrame() ? " key" : "");
            case Interruption gone -> "interruption " + gone;
        };
    }

    private static String track(Track track) {
        return track.id()
                + ":"
                + track.codec().rfc6381()
                + "/"
                + track.timescale().ticksPerSecond();
    }
}
