package touchline.api.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import touchline.packager.record.Recording;

/** Files of a recording with random bytes as media, and an index that fits them. */
public final class SmallRecording {
    private SmallRecording() {}

    /**
     * Writes one file for each segment: {@code s0-0.m4s}, {@code s9-0.m4s}, and so on.
     *
     * @param durationUs of each segment
     * @param sizes of the files in bytes
     */
    public static void write(Path folder, long durationUs, int... sizes) throws IOException {
        Files.createDirectories(folder);
        fill(folder.resolve("init0.mp4"), 900);
        List<Recording.Segment> segments = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            long number = 9L * i;
            Recording.Segment segment =
                    new Recording.Segment(
                            number,
                            /* init= */ 0,
                            new Recording.Place(number, /* offsetBytes= */ 40, sizes[i] - 40L),
                            i * durationUs,
                            durationUs,
                            /* parts= */ 4);
            fill(folder.resolve(segment.fileName()), sizes[i]);
            segments.add(segment);
        }
        new Recording(
                        List.of(new Recording.Init(0, 0, Instant.parse("2026-11-20T12:00:00Z"))),
                        segments,
                        /* ended= */ true)
                .save(folder);
    }

    static void fill(Path file, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new Random(file.hashCode()).nextBytes(content);
        Files.write(file, content);
    }
}
