package touchline.media.signal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.media.AccessUnit;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.Feed;
import touchline.testing.SettableClock;

/** A watch on encoded media, with a clock of the test. */
final class SessionSignalTest {
    private static final AudioSettings AAC = new AudioSettings(48_000, 2, 96_000);
    private static final double SILENCE = Double.NEGATIVE_INFINITY;

    private final SettableClock clock = new SettableClock();
    private final SignalCounters counters = new SignalCounters();
    private final Listened listened = new Listened();
    private final Feed program = new Feed();
    private final Feed source = new Feed();
    private final AudioEncoder encoder = AudioEncoder.open(AAC);
    private final Tone tone = new Tone(48_000, 997);
    private boolean standby;
    private final SessionSignal signal =
            new SessionSignal(
                    "session",
                    WatchedMedia.of(program, source, () -> standby),
                    listened,
                    new SessionSignal.Dependencies(
                            GopDecoders.LOCAL, counters, clock, clock::nanoTime));

    @AfterEach
    void close() {
        signal.close();
        signal.release();
        encoder.close();
    }

    private void begin(Track... tracks) {
        Timeline timeline = new Timeline(0, List.of(tracks), 0, clock.instant());
        program.offer(timeline);
        source.offer(timeline);
    }

    private void play(double seconds, double left, double right) {
        for (int i = 0; i < Math.round(seconds * 10); i++) {
            encoder.encode(tone.block(left, right)).forEach(program::offer);
            pass(Duration.ofMillis(100));
        }
    }

    private void pass(Duration time) {
        clock.advance(time);
        signal.work();
    }

    /** Key frames only, 320x180. */
    private static VideoSettings settings() {
        return VideoSettings.live(
                        new FrameFormat(320, 180, Colour.BT709),
                        FrameRate.of(1),
                        TestMedia.encoder())
                .with(new VideoSettings.Gop(1, 0));
    }

    private static List<AccessUnit> keyFrames(int count) {
        return every2Seconds(TestMedia.video(settings(), count));
    }

    private static List<AccessUnit> every2Seconds(List<AccessUnit> units) {
        return units.stream()
                .map(unit -> unit.at(unit.track(), 2 * unit.dtsTicks(), /* newOffsetTicks= */ 0))
                .toList();
    }

    @Test
    void sine_atMinus20_isShownWithItsLevels() {
        begin(encoder.track());

        play(5, -20, -26);

        assertTrue(listened.samples.size() >= 4, "samples: " + listened.samples.size());
        SignalSample last = listened.samples.getLast();
        assertEquals(-20, last.audio().get(0).peakDb(), 0.8);
        assertEquals(-23, last.audio().get(0).rmsDb(), 0.2);
        assertEquals(-26, last.audio().get(1).peakDb(), 0.8);
        // The energy of a side 6 dB below the other adds 0.97 dB to -23.
        assertEquals(-22.0, last.loudnessLufs().orElseThrow(), 0.2);
        assertEquals(List.of(last), signal.history().after(last.at().minusMillis(1)));
        assertEquals(1, counters.watched());
        assertEquals(List.of(), listened.faults);
    }

    @Test
    void interruption_endsFaults_andSamplesStop() {
        begin(encoder.track());
        play(9, SILENCE, SILENCE);
        assertEquals(List.of("+audio_silent"), listened.faults);

        program.offer(Interruption.PUBLISHER_GONE);
        source.offer(Interruption.PUBLISHER_GONE);
        pass(Duration.ofMillis(100));
        int samples = listened.samples.size();
        pass(Duration.ofSeconds(5));
        pass(Duration.ofSeconds(5));

        assertEquals(List.of("+audio_silent", "-audio_silent"), listened.faults);
        assertEquals(samples, listened.samples.size());
    }

    @Test
    void standby_isNoFault_andEndsThoseBefore() {
        begin(encoder.track());
        play(9, SILENCE, SILENCE);
        standby = true;
        play(30, SILENCE, SILENCE);
        assertEquals(List.of("+audio_silent", "-audio_silent"), listened.faults);
        assertEquals(0, listened.samples.getLast().silentS());
        assertEquals(SignalSample.FLOOR_DB, listened.samples.getLast().audio().get(0).peakDb());

        standby = false;
        play(7, SILENCE, SILENCE);
        assertEquals(2, listened.faults.size());
        play(2, SILENCE, SILENCE);

        assertEquals("+audio_silent", listened.faults.getLast());
    }

    @Test
    void close_endsFaultsAtOnce() {
        begin(encoder.track());
        play(9, SILENCE, SILENCE);

        signal.close();
        pass(Duration.ofSeconds(1));

        assertEquals(List.of("+audio_silent", "-audio_silent"), listened.faults);
        assertEquals(0, counters.watched());
        assertEquals(0, counters.active(SignalFault.AUDIO_SILENT));
    }

    @Test
    void audio_thatDoesNotArriveBesideVideo_isSilent() {
        List<AccessUnit> video = keyFrames(12);
        begin(video.getFirst().track(), encoder.track());
        play(2, -20, -20);

        for (AccessUnit each : video.subList(0, 4)) {
            source.offer(each);
            for (int i = 0; i < 8; i++) {
                pass(Duration.ofMillis(250));
            }
        }
        assertEquals(List.of("+audio_silent"), listened.faults);
        assertEquals(8.0, listened.samples.getLast().silentS(), 1.1);
        play(1, -20, -20);

        assertEquals(List.of("+audio_silent", "-audio_silent"), listened.faults);
    }

    @Test
    void stalledConnection_isNotSilent() {
        List<AccessUnit> video = keyFrames(1);
        begin(video.getFirst().track(), encoder.track());
        play(2, -20, -20);
        source.offer(video.getFirst());

        for (int i = 0; i < 60; i++) {
            pass(Duration.ofMillis(250));
        }

        assertEquals(List.of(), listened.faults);
    }

    @Test
    void video_withoutAudio_hasNoLevels() {
        List<AccessUnit> video = keyFrames(3);
        begin(video.getFirst().track());
        for (AccessUnit each : video) {
            source.offer(each);
            pass(Duration.ofSeconds(2));
        }

        SignalSample last = listened.samples.getLast();
        assertEquals(List.of(), last.audio());
        assertEquals(OptionalDouble.empty(), last.loudnessLufs());
        assertTrue(counters.nanos(SignalCounters.Media.VIDEO) > 0);
        assertEquals(0, counters.undecodable(SignalCounters.Media.VIDEO));
    }

    @Test
    void frames_blackForAWhile_beginAndEnd() {
        List<AccessUnit> video = flat(5, 16);
        begin(video.getFirst().track());
        for (AccessUnit each : video) {
            source.offer(each);
            pass(Duration.ofSeconds(2));
        }
        assertEquals(List.of("+video_black"), listened.faults);
        assertEquals(10.0, listened.samples.getLast().blackS(), 2.1);
        source.offer(keyFrames(6).getLast());
        pass(Duration.ofSeconds(1));

        assertEquals(List.of("+video_black", "-video_black"), listened.faults);
        assertEquals(0, listened.samples.getLast().blackS());
    }

    private static List<AccessUnit> flat(int count, int luma) {
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder opened = VideoEncoder.open(settings());
                VideoFrame frame = VideoFrame.allocate(settings().format())) {
            for (int i = 0; i < count; i++) {
                frame.planes().getFirst().samples().fill((byte) luma);
                frame.planes().get(1).samples().fill((byte) 128);
                frame.planes().get(2).samples().fill((byte) 128);
                frame.ptsTicks(settings().frameRate().ticksOf(i));
                units.addAll(opened.encode(frame, /* forceKeyFrame= */ false));
            }
            units.addAll(opened.finish());
        }
        return every2Seconds(units);
    }

    @Test
    void brokenMedia_isCounted_andTheRestMeasured() {
        List<AccessUnit> video = keyFrames(2);
        AccessUnit good = video.getFirst();
        begin(good.track(), encoder.track());
        source.offer(
                new AccessUnit(
                        good.track(),
                        good.dtsTicks(),
                        0,
                        /* idr= */ true,
                        MemorySegment.ofArray(new byte[64])));
        program.offer(
                new AccessUnit(
                        encoder.track(),
                        0,
                        0,
                        /* idr= */ true,
                        MemorySegment.ofArray(new byte[] {-1, -1, -1, -1})));
        play(2, -20, -20);

        assertEquals(1, counters.undecodable(SignalCounters.Media.VIDEO));
        assertEquals(1, counters.undecodable(SignalCounters.Media.AUDIO));
        assertEquals(0, counters.errors());
        assertEquals(-20, listened.samples.getLast().audio().getFirst().peakDb(), 0.8);
    }

    @Test
    void history_keepsAnHour() {
        SignalHistory history = new SignalHistory();
        for (int i = 0; i < SignalHistory.MAX_SAMPLES + 10; i++) {
            history.add(
                    new SignalSample(
                            clock.instant().plusSeconds(i),
                            List.of(),
                            OptionalDouble.empty(),
                            0,
                            0,
                            0));
        }

        List<SignalSample> all = history.after(clock.instant());
        assertEquals(SignalHistory.MAX_SAMPLES, all.size());
        assertEquals(clock.instant().plusSeconds(10), all.getFirst().at());
    }
}
