package touchline.media.transcode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.MediaTool;
import touchline.media.ffmpeg.Pcm;
import touchline.media.hub.Feed;
import touchline.testing.SyntheticStream;

/** MP3 as the ffmpeg program encodes it, read through the stage before the packager. */
final class TranscodingReaderIT {
    private static final int RATE_HZ = 44_100;

    /** Sample frames of an MP3 unit and of an AAC unit. */
    private static final int MP3_FRAMES = 1_152;

    private static final int AAC_FRAMES = 1_024;

    /** A session that runs for an hour, so that times are not small. */
    private static final long START_TICKS = 3_600L * RATE_HZ;

    private static final Track MP3 =
            new Track(Track.AUDIO_ID, new Timescale(RATE_HZ), new CodecConfig.Mp3(RATE_HZ, 2));

    @TempDir private static Path folder;

    /** Silence with a click at 1 s and at 2 s. */
    private static List<AccessUnit> clicks;

    private final Feed feed = new Feed();
    private final TranscodingReader reader =
            new TranscodingReader(
                    feed.subscribe("packager", 16 << 20),
                    codec -> codec instanceof CodecConfig.Mp3,
                    "session-1");

    @BeforeAll
    static void encode() throws Exception {
        Path file =
                MediaTool.make(
                        folder.resolve("clicks.mp3"),
                        "-f",
                        "lavfi",
                        "-i",
                        "aevalsrc='if(lt(mod(t,1),0.001)*gt(t,0.5),0.9,0)':s=44100:d=3:c=stereo",
                        "-c:a",
                        "libmp3lame",
                        "-b:a",
                        "128k",
                        "-write_xing",
                        "0",
                        "-id3v2_version",
                        "0");
        clicks = units(Files.readAllBytes(file));
        assertTrue(clicks.size() > 110, "units: " + clicks.size());
    }

    /** Frames of MPEG-1 layer III at 128 kbit/s and 44.1 kHz. */
    private static List<AccessUnit> units(byte[] mp3) {
        List<AccessUnit> units = new ArrayList<>();
        int at = 0;
        while (at + 4 <= mp3.length && (mp3[at] & 0xff) == 0xff) {
            int padding = (mp3[at + 2] >> 1) & 1;
            int length = Math.min(417 + padding, mp3.length - at);
            long ticks = START_TICKS + (long) units.size() * MP3_FRAMES;
            MemorySegment payload = MemorySegment.ofArray(mp3).asSlice(at, length);
            units.add(new AccessUnit(MP3, ticks, 0, true, payload));
            at += length;
        }
        return units;
    }

    private List<FeedItem> read(List<? extends FeedItem> items) throws InterruptedException {
        items.forEach(feed::offer);
        feed.end();
        List<FeedItem> read = new ArrayList<>();
        try (reader) {
            while (reader.drain(read::add)) {}
        }
        return read;
    }

    private static Timeline timeline(int sequence, Track... tracks) {
        return new Timeline(sequence, List.of(tracks), 3_600_000_000L, Instant.EPOCH);
    }

    private static List<AccessUnit> audio(List<FeedItem> items) {
        return items.stream()
                .filter(AccessUnit.class::isInstance)
                .map(AccessUnit.class::cast)
                .filter(unit -> !unit.track().isVideo())
                .toList();
    }

    private static List<FeedItem> with(Timeline first, List<AccessUnit> units) {
        List<FeedItem> items = new ArrayList<>();
        items.add(first);
        items.addAll(units);
        return items;
    }

    @Test
    void mp3_becomesAacAtTheSameTimes_withoutGapAndOverhang() throws Exception {
        List<FeedItem> read = read(with(timeline(0, MP3), clicks));

        Timeline shown = (Timeline) read.getFirst();
        Track track = shown.audio().orElseThrow();
        assertEquals("mp4a.40.2", track.codec().rfc6381());
        assertEquals(RATE_HZ, track.timescale().ticksPerSecond());
        assertEquals(Optional.of(track.codec()), reader.audio());
        List<AccessUnit> made = audio(read);
        for (int i = 0; i < made.size(); i++) {
            assertEquals(track, made.get(i).track());
            assertEquals(START_TICKS + (long) i * AAC_FRAMES, made.get(i).dtsTicks());
        }
        long end = clicks.getLast().dtsTicks() + MP3_FRAMES;
        long left = end - (made.getLast().dtsTicks() + AAC_FRAMES);
        assertTrue(left >= 0 && left < 2 * AAC_FRAMES, "sample frames left: " + left);
        assertClicksAgree(clicks, made);
    }

    @Test
    void lostUnits_leaveSilence_andWhatFollowsKeepsItsTime() throws Exception {
        List<AccessUnit> sent = new ArrayList<>(clicks);
        sent.subList(50, 70).clear();

        List<AccessUnit> made = audio(read(with(timeline(0, MP3), sent)));

        for (int i = 0; i < made.size(); i++) {
            assertEquals(START_TICKS + (long) i * AAC_FRAMES, made.get(i).dtsTicks());
        }
        assertClicksAgree(clicks, made);
    }

    @Test
    void interruption_comesAfterTheLastAudio_andAacAfterItPassesUnchanged() throws Exception {
        SyntheticStream aac = SyntheticStream.standard();
        List<FeedItem> items = new ArrayList<>(with(timeline(0, MP3), clicks));
        items.add(Interruption.PUBLISHER_GONE);
        items.add(new Timeline(1, aac.tracks(), 3_700_000_000L, Instant.EPOCH));
        items.addAll(aac.units());

        List<FeedItem> read = read(items);

        int gone = read.indexOf(Interruption.PUBLISHER_GONE);
        assertEquals(
                items.subList(clicks.size() + 1, items.size()), read.subList(gone, read.size()));
        AccessUnit last = (AccessUnit) read.get(gone - 1);
        long end = clicks.getLast().dtsTicks() + MP3_FRAMES;
        assertTrue(end - last.dtsTicks() < 3 * AAC_FRAMES, "the last audio: " + last.dtsTicks());
        assertEquals(aac.tracks().getLast().codec(), reader.audio().orElseThrow());
    }

    @Test
    void brokenUnits_areLeftOut_andTheRestPlays() throws Exception {
        List<AccessUnit> sent = new ArrayList<>(clicks);
        AccessUnit whole = sent.get(60);
        sent.set(
                60,
                new AccessUnit(
                        MP3, whole.dtsTicks(), 0, true, MemorySegment.ofArray(new byte[417])));

        List<AccessUnit> made = audio(read(with(timeline(0, MP3), sent)));

        assertFalse(made.isEmpty());
        assertClicksAgree(clicks, made);
    }

    /** The clicks lie at the same times, within a millisecond. */
    private static void assertClicksAgree(List<AccessUnit> before, List<AccessUnit> after) {
        for (int second = 1; second <= 2; second++) {
            double expected = click(before, second);
            assertEquals(expected, click(after, second), RATE_HZ / 1_000.0, "click " + second);
        }
    }

    /** Centre of energy of the half second around a click, in sample frames. */
    private static double click(List<AccessUnit> units, int second) {
        double energy = 0;
        double moment = 0;
        long from = START_TICKS + (long) second * RATE_HZ - RATE_HZ / 4;
        try (AudioDecoder decoder = AudioDecoder.open(units.getFirst().track())) {
            for (AccessUnit unit : units) {
                for (Pcm pcm : decoder.decode(unit)) {
                    for (int i = 0; i < pcm.frames(); i++) {
                        long at = pcm.startFrame() + i - from;
                        if (at >= 0 && at < RATE_HZ / 2) {
                            double level = pcm.sample(i, 0);
                            energy += level * level;
                            moment += level * level * at;
                        }
                    }
                }
            }
        }
        assertTrue(energy > 1, "energy of click " + second + ": " + energy);
        return moment / energy;
    }
}
