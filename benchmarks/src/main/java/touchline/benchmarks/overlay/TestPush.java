package touchline.benchmarks.overlay;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.FlvFile;
import touchline.ingest.flv.FlvDemuxer;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * What a camera's encoder sends, as a file and as units: made once on this machine, kept in the
 * temporary folder.
 *
 * @param file FLV
 * @param tracks video first
 * @param units in the order of the file
 */
record TestPush(Path file, List<Track> tracks, List<AccessUnit> units) {
    static final int LOOP_SECONDS = 20;

    private static final int VIDEO = 9;
    private static final int FRAMES_PER_SECOND = 30;

    TestPush {
        tracks = List.copyOf(tracks);
        units = List.copyOf(units);
    }

    long pictures() {
        return units.stream().filter(unit -> unit.track().isVideo()).count();
    }

    static TestPush make(int width, int height, int seconds)
            throws IOException, InterruptedException {
        Path file = file(width, height, seconds);
        List<Track> tracks = new ArrayList<>();
        List<AccessUnit> units = new ArrayList<>();
        FlvDemuxer demuxer =
                new FlvDemuxer(
                        new FlvDemuxer.Output() {
                            @Override
                            public void begin(List<Track> begun) {
                                tracks.clear();
                                tracks.addAll(begun);
                            }

                            @Override
                            public void write(AccessUnit unit) {
                                units.add(unit);
                            }
                        });
        demuxer.expect(/* withVideo= */ true, /* withAudio= */ false);
        for (FlvFile.Tag tag : FlvFile.read(file).tags()) {
            if (tag.type() == VIDEO) {
                MemorySegment body = MemorySegment.ofBuffer(tag.body()).asReadOnly();
                demuxer.video(tag.timestampMs(), body);
            }
        }
        return new TestPush(file, tracks, units);
    }

    /** As cameras' encoders send it: B-frames, a key frame every two seconds. */
    private static Path file(int width, int height, int seconds)
            throws IOException, InterruptedException {
        String name = "touchline-bench-overlay-%dx%d-%ds.flv".formatted(width, height, seconds);
        Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
        if (Files.exists(file)) {
            return file;
        }
        Path partial = Files.createTempFile("touchline-bench", ".flv");
        String source =
                "testsrc2=size=%dx%d:rate=%d,noise=alls=8:allf=t"
                        .formatted(width, height, FRAMES_PER_SECOND);
        String encoder =
                "-c:v libx264 -preset veryfast -pix_fmt yuv420p -bf 2 -b:v %dk -maxrate %dk"
                        + " -bufsize %dk -g 60 -sc_threshold 0 -an -f flv";
        int kbps = width * height * 3 / 1_000;
        List<String> command =
                new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i"));
        command.addAll(List.of(source, "-t", Integer.toString(seconds)));
        command.addAll(List.of(encoder.formatted(kbps, kbps, kbps).split(" ", -1)));
        command.add(partial.toString());
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("ffmpeg exited with " + code + " while making the source");
        }
        return Files.move(partial, file);
    }
}
