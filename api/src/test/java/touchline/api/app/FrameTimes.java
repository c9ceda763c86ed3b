package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import touchline.packager.isobmff.BoxReader;
import touchline.packager.isobmff.BoxReader.Box;
import touchline.packager.isobmff.FragmentRun;
import touchline.packager.isobmff.InitReader;

/**
 * The numbered frames of an asset, and when they are shown. Times are in milliseconds.
 *
 * @param numbers in order of presentation
 * @param timesMs of the same frames
 * @param durationMs of the whole
 */
record FrameTimes(List<Integer> numbers, List<Long> timesMs, long durationMs) {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    FrameTimes {
        assertEquals(numbers.size(), timesMs.size(), "as many frames as times");
    }

    /** The number of the frame that is shown at a time. */
    int at(long timeMs) {
        int index = 0;
        while (index + 1 < timesMs.size() && timesMs.get(index + 1) <= timeMs) {
            index++;
        }
        return numbers.get(index);
    }

    /** The numbers of the frames that begin in a range. */
    List<Integer> from(long startMs, long endMs) {
        List<Integer> some = new ArrayList<>();
        for (int i = 0; i < timesMs.size(); i++) {
            if (timesMs.get(i) >= startMs && timesMs.get(i) < endMs) {
                some.add(numbers.get(i));
            }
        }
        return some;
    }

    static FrameTimes ofMp4(URI address) throws Exception {
        List<Long> times = new ArrayList<>();
        String lines =
                run(
                        "ffprobe -v error -select_streams v -show_entries frame=pts_time -of"
                                + " default=nw=1:nk=1 "
                                + address);
        lines.lines().forEach(line -> times.add(ms(line)));
        String duration =
                run(
                        "ffprobe -v error -show_entries format=duration -of default=nw=1:nk=1 "
                                + address);
        return new FrameTimes(NumberedVideo.numbers(address.toString()), times, ms(duration));
    }

    /**
     * As hls.js counts: the first segment that it loads behind a discontinuity starts at the sum of
     * EXTINF before it. There its earliest sample is, of frames or audio.
     *
     * @param any whether a player that loads any segment first counts the same; else one that plays
     *     from the start
     */
    static FrameTimes ofHls(TestServer server, URI multivariant, boolean any) throws Exception {
        URI media = server.mediaPlaylist(multivariant);
        List<Long> timesUs = new ArrayList<>();
        InitReader init = null;
        double shiftUs = Double.NaN;
        long startUs = 0;
        long durationUs = 0;
        for (String line : server.get(media).body().lines().toList()) {
            if (line.startsWith("#EXT-X-MAP:URI=\"")) {
                URI address = media.resolve(line.split("\"", -1)[1]);
                init = InitReader.read(MemorySegment.ofArray(server.bytes(address).body()));
                shiftUs = Double.NaN;
            } else if (line.startsWith("#EXTINF:")) {
                String seconds = line.substring("#EXTINF:".length(), line.indexOf(','));
                durationUs = Math.round(Double.parseDouble(seconds) * 1e6);
            } else if (!line.startsWith("#") && init != null) {
                byte[] segment = server.bytes(media.resolve(line)).body();
                Loaded loaded = Loaded.of(segment, init);
                shiftUs = any || Double.isNaN(shiftUs) ? startUs - loaded.earliestUs() : shiftUs;
                for (double frameUs : loaded.framesUs()) {
                    timesUs.add(Math.round(frameUs + shiftUs));
                }
                startUs += durationUs;
            }
        }
        Collections.sort(timesUs);
        List<Long> timesMs = timesUs.stream().map(us -> Math.round(us / 1e3)).toList();
        return new FrameTimes(
                NumberedVideo.numbers(multivariant.toString()), timesMs, Math.round(startUs / 1e3));
    }

    /** Presentation times in a segment, and the decode time of its earliest sample. */
    private record Loaded(List<Double> framesUs, double earliestUs) {
        static Loaded of(byte[] segment, InitReader init) {
            List<Double> frames = new ArrayList<>();
            double earliest = Double.MAX_VALUE;
            for (Box box : BoxReader.walk(MemorySegment.ofArray(segment))) {
                if (!box.type().equals("moof")) {
                    continue;
                }
                for (FragmentRun run : FragmentRun.of(box)) {
                    InitReader.TrackHead track = init.track(run.trackId()).orElseThrow();
                    double ticksPerUs = track.timescale().ticksPerSecond() / 1e6;
                    earliest = Math.min(earliest, run.decodeTicks() / ticksPerUs);
                    long decode = run.decodeTicks();
                    for (int i = 0; i < run.samples() && track.video(); i++) {
                        frames.add((decode + run.compositionOffsetTicks(i)) / ticksPerUs);
                        decode += run.durationTicks(i);
                    }
                }
            }
            return new Loaded(frames, earliest);
        }
    }

    private static long ms(String seconds) {
        return Math.round(Double.parseDouble(seconds.strip()) * 1_000);
    }

    private static String run(String command) throws Exception {
        try (Encoder program = Encoder.run(command.split(" "))) {
            assertEquals(0, program.await(PATIENCE), program::output);
            String output = program.output();
            assertTrue(!output.isBlank(), command);
            return output;
        }
    }
}
