package touchline.benchmarks.overlay;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import touchline.benchmarks.load.Command;
import touchline.benchmarks.load.FlvFile;
import touchline.ingest.flv.FlvDemuxer;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * A push as a file and as access units. ffmpeg makes each file once; it stays in the temporary
 * folder.
 *
 * @param file FLV
 * @param tracks video first
 * @param units in the order of the file
 */
public record TestPush(Path file, List<Track> tracks, List<AccessUnit> units) {
    static final int LOOP_SECONDS = 20;

    private static final int AUDIO = 8;
    private static final int VIDEO = 9;

    public TestPush {
        tracks = List.copyOf(tracks);
        units = List.copyOf(units);
    }

    public long frames() {
        return units.stream().filter(unit -> unit.track().isVideo()).count();
    }

    /** Video without audio, 30 frames a second with B-frames, a GOP of 2 s. */
    public static TestPush make(int width, int height, int seconds)
            throws IOException, InterruptedException {
        return make(width, height, seconds, /* toneHz= */ 0);
    }

    /**
     * @param toneHz frequency of the audio; 0 for a push without audio
     */
    public static TestPush make(int width, int height, int seconds, int toneHz)
            throws IOException, InterruptedException {
        String audio =
                toneHz == 0
                        ? ""
                        : " -f lavfi -i sine=frequency=%d:sample_rate=48000 -c:a aac -b:a 128k -ac 2"
                                .formatted(toneHz);
        List<String> command =
                Command.words(
                        "ffmpeg -v error -y -f lavfi -i"
                                + " testsrc2=size=%1$dx%2$d:rate=30,noise=alls=8:allf=t%3$s -t %4$d"
                                + " -c:v libx264 -preset veryfast -pix_fmt yuv420p -bf 2 -b:v %5$dk"
                                + " -maxrate %5$dk -bufsize %5$dk -g 60 -sc_threshold 0 -f flv",
                        width, height, audio, seconds, width * height * 3 / 1_000);
        String tone = toneHz == 0 ? "" : "-" + toneHz + "hz";
        String name =
                "touchline-bench-overlay-%dx%d-%ds%s.flv".formatted(width, height, seconds, tone);
        return read(Command.file(name, command), toneHz != 0);
    }

    /**
     * A push with audio.
     *
     * @param command of ffmpeg, without the output file
     */
    public static TestPush make(String name, List<String> command)
            throws IOException, InterruptedException {
        return read(Command.file(name, command), /* withAudio= */ true);
    }

    /**
     * A push without audio.
     *
     * @param command of ffmpeg, without the output file
     */
    public static TestPush silent(String name, List<String> command)
            throws IOException, InterruptedException {
        return read(Command.file(name, command), /* withAudio= */ false);
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
}
