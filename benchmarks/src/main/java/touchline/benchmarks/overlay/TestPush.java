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
public record TestPush(Path file, List<Track> tracks, List<AccessUnit> units) {
    static final int LOOP_SECONDS = 20;

    private static final int AUDIO = 8;
    private static final int VIDEO = 9;
    private static final int FRAMES_PER_SECOND = 30;

    public TestPush {
        tracks = List.copyOf(tracks);
        units = List.copyOf(units);
    }

    public long frames() {
        return units.stream().filter(unit -> unit.track().isVideo()).count();
    }

    /** Frames alone. */
    public static TestPush make(int width, int height, int seconds)
            throws IOException, InterruptedException {
        return make(new Source(width, height, seconds, /* toneHz= */ 0));
    }

    /**
     * What is in it.
     *
     * @param toneHz of its audio; 0 without
     */
    record Source(int width, int height, int seconds, int toneHz) {
        String name() {
            String tone = toneHz == 0 ? "" : "-" + toneHz + "hz";
            return "touchline-bench-overlay-%dx%d-%ds%s.flv"
                    .formatted(width, height, seconds, tone);
        }

        private List<String> command() {
            String frame =
                    "testsrc2=size=%dx%d:rate=%d,noise=alls=8:allf=t"
                            .formatted(width, height, FRAMES_PER_SECOND);
            List<String> command =
                    new ArrayList<>(List.of("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i"));
            command.add(frame);
            if (toneHz != 0) {
                command.addAll(List.of("-f", "lavfi", "-i"));
                command.add("sine=frequency=" + toneHz + ":sample_rate=48000");
                command.addAll(List.of("-c:a", "aac", "-b:a", "128k", "-ac", "2"));
            }
            int kbps = width * height * 3 / 1_000;
            String encoder =
                    "-c:v libx264 -preset veryfast -pix_fmt yuv420p -bf 2 -b:v %dk -maxrate %dk"
                            + " -bufsize %dk -g 60 -sc_threshold 0 -f flv";
            command.addAll(List.of("-t", Integer.toString(seconds)));
            command.addAll(List.of(encoder.formatted(kbps, kbps, kbps).split(" ", -1)));
            return command;
        }
    }

    static TestPush make(Source source) throws IOException, InterruptedException {
        return read(file(source.name(), source.command()), source.toneHz() != 0);
    }

    /**
     * What an ffmpeg command line makes, with audio.
     *
     * @param command all but the output file
     */
    static TestPush make(String name, List<String> command)
            throws IOException, InterruptedException {
        return read(file(name, command), /* withAudio= */ true);
    }

    private static TestPush read(Path file, boolean withAudio) throws IOException {
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
        demuxer.expect(/* withVideo= */ true, withAudio);
        for (FlvFile.Tag tag : FlvFile.read(file).tags()) {
            MemorySegment body = MemorySegment.ofBuffer(tag.body()).asReadOnly();
            if (tag.type() == VIDEO) {
                demuxer.video(tag.timestampMs(), body);
            } else if (tag.type() == AUDIO) {
                demuxer.audio(tag.timestampMs(), body);
            }
        }
        return new TestPush(file, tracks, units);
    }

    /** As cameras' encoders send it: B-frames, a key frame every two seconds. */
    private static Path file(String name, List<String> made)
            throws IOException, InterruptedException {
        Path file = Path.of(System.getProperty("java.io.tmpdir"), name);
        if (Files.exists(file)) {
            return file;
        }
        Path partial = Files.createTempFile("touchline-bench", ".flv");
        List<String> command = new ArrayList<>(made);
        command.add(partial.toString());
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("ffmpeg exited with " + code + " while making the source");
        }
        return Files.move(partial, file);
    }
}
