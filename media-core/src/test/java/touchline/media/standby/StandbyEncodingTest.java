package touchline.media.standby;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FrameView;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.decoding.GopDecoders;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoDecoder;
import touchline.media.ffmpeg.VideoEncoder;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.hub.StandbyMedia;
import touchline.media.hub.StandbyRequest;
import touchline.media.hub.StandbySettings;
import touchline.testing.CodecRecords;

@Timeout(120)
final class StandbyEncodingTest {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 240;
    private static final Track AAC =
            new Track(
                    Track.AUDIO_ID,
                    new Timescale(44_100),
                    new CodecConfig.Aac(AudioSpecificConfig.of(44_100, 2)));

    private final AtomicInteger painted = new AtomicInteger();
    private final StandbyEncoding encoding =
            new StandbyEncoding(GopDecoders.LOCAL, this::slate, () -> List.of(TestMedia.encoder()));

    @AfterEach
    void close() {
        encoding.close();
    }

    /** The left half red, the right half blue. */
    private RgbImage slate(StandbySettings settings, int width, int height) {
        painted.incrementAndGet();
        int[] pixels = new int[width * height];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = i % width < width / 2 ? 0xFF0000 : 0x0000FF;
        }
        return new RgbImage(width, height, pixels);
    }

    /** Frames of one shade each: luma 40, 42, 44 and so on. */
    private static List<AccessUnit> gop(int frames) {
        FrameFormat format = new FrameFormat(WIDTH, HEIGHT, Colour.BT601);
        VideoSettings settings = VideoSettings.live(format, FrameRate.of(25), TestMedia.encoder());
        List<AccessUnit> units = new ArrayList<>();
        try (VideoEncoder encoder = VideoEncoder.open(settings);
                VideoFrame frame = VideoFrame.allocate(format)) {
            for (int i = 0; i < frames; i++) {
                fill(frame, 40 + 2 * i);
                frame.ptsTicks(3_600L * i);
                units.addAll(encoder.encode(frame, /* forceKeyFrame= */ i == 0));
            }
            units.addAll(encoder.finish());
        }
        return units;
    }

    private static void fill(VideoFrame frame, int luma) {
        for (int plane = 0; plane < 3; plane++) {
            frame.planes().get(plane).samples().fill((byte) (plane == 0 ? luma : 128));
        }
    }

    private StandbyMedia make(List<Track> tracks, List<AccessUnit> gop) {
        StandbySettings settings =
                new StandbySettings(
                        StandbySettings.Mode.FREEZE, Duration.ofSeconds(1), Optional.empty(), "");
        return encoding.make(new StandbyRequest(settings, tracks, 25, gop)).join();
    }

    /** All frames of one repetition and the next; each must be decodable. */
    private static List<int[]> shown(StandbyMedia.Loop loop) {
        List<int[]> samples = new ArrayList<>();
        try (VideoDecoder decoder = VideoDecoder.open(loop.track(), /* threads= */ 1)) {
            for (int repetition = 0; repetition < 2; repetition++) {
                for (AccessUnit unit : loop.units()) {
                    AccessUnit at =
                            unit.at(
                                    loop.track(),
                                    unit.dtsTicks() + repetition * loop.lengthTicks(),
                                    unit.compositionTimeOffsetTicks());
                    decoder.decode(at).forEach(frame -> samples.add(taken(frame)));
                }
            }
            decoder.drain().forEach(frame -> samples.add(taken(frame)));
        }
        return samples;
    }

    /** Luma of the left and of the right half. */
    private static int[] taken(VideoFrame frame) {
        try (frame) {
            FrameView.Plane luma = frame.planes().getFirst();
            long row = (long) HEIGHT / 2 * luma.strideBytes();
            return new int[] {
                Byte.toUnsignedInt(luma.samples().get(ValueLayout.JAVA_BYTE, row + WIDTH / 4)),
                Byte.toUnsignedInt(luma.samples().get(ValueLayout.JAVA_BYTE, row + 3 * WIDTH / 4))
            };
        }
    }

    @Test
    void lastFrame_isRepeatedForTwoSeconds_andCostsAlmostNothing() {
        List<AccessUnit> gop = gop(40);
        Track video = gop.getFirst().track();

        StandbyMedia made = make(List.of(video, AAC), gop);

        StandbyMedia.Loop loop = made.loops().getFirst();
        assertEquals(List.of(loop.track(), AAC), made.tracks());
        assertEquals(180_000, loop.lengthTicks());
        assertEquals(50, loop.units().size());
        assertTrue(loop.units().getFirst().isKeyFrame());
        assertEquals(1, loop.units().stream().filter(AccessUnit::isKeyFrame).count(), "key frames");
        long bytes = loop.units().stream().mapToLong(unit -> unit.payload().byteSize()).sum();
        assertTrue(bytes < 8_000, "two seconds: " + bytes + " bytes");
        List<int[]> shown = shown(loop);
        assertEquals(100, shown.size());
        for (int[] luma : shown) {
            assertEquals(40 + 2 * 39, luma[0], 3);
        }
        assertEquals(0, painted.get());
    }

    @Test
    void slate_isPaintedInTheSizeOfTheSource_onceForEachFormat() {
        Track video = gop(1).getFirst().track();

        StandbyMedia made = make(List.of(video), List.of());
        assertEquals(made, make(List.of(video), List.of()));

        assertEquals(1, painted.get());
        int[] luma = shown(made.loops().getFirst()).getLast();
        // Rec. ITU-R BT.601-7, 2.5.1: 16 + 219 * 0.299, and 0.114.
        assertEquals(81, luma[0], 3);
        assertEquals(41, luma[1], 3);
    }

    @Test
    void brokenGop_showsTheSlate() {
        List<AccessUnit> gop = gop(2);
        Track video = gop.getFirst().track();
        List<AccessUnit> broken =
                gop.stream()
                        .map(
                                unit ->
                                        new AccessUnit(
                                                video,
                                                unit.dtsTicks(),
                                                0,
                                                unit.idr(),
                                                MemorySegment.ofArray(new byte[] {0, 0, 0, 9, 1})))
                        .toList();

        StandbyMedia made = make(List.of(video), broken);

        assertEquals(1, painted.get());
        assertFalse(made.loops().getFirst().units().isEmpty());
    }

    private StandbyMedia slate(Optional<String> image, List<Track> tracks) {
        StandbySettings settings =
                new StandbySettings(
                        StandbySettings.Mode.SLATE, Duration.ofSeconds(1), image, "title");
        return encoding.make(new StandbyRequest(settings, tracks, 25, List.of())).join();
    }

    @Test
    void forget_image_paintsItsSlatesAgain() {
        List<Track> tracks = List.of(gop(1).getFirst().track());
        StandbyMedia before = slate(Optional.of("img_1"), tracks);
        StandbyMedia other = slate(Optional.of("img_2"), tracks);

        encoding.forget("img_1");

        slate(Optional.of("img_1"), tracks);
        assertEquals(3, painted.get());
        assertSame(
                other.loops().getFirst(), slate(Optional.of("img_2"), tracks).loops().getFirst());
        assertEquals(3, painted.get());
        assertEquals(before.tracks(), other.tracks());
    }

    /** A slate and a silent frame of each format: the least used ones are made again. */
    @Test
    void slate_notUsedForManyFormats_isPaintedAgain() {
        List<Track> tracks = List.of(gop(1).getFirst().track());
        slate(Optional.empty(), tracks);
        for (int i = 0; i < 32; i++) {
            Track other = new Track(AAC.id(), new Timescale(1_000 + i), AAC.codec());
            make(List.of(other), List.of());
        }

        slate(Optional.empty(), tracks);

        assertEquals(2, painted.get());
    }

    @Test
    void slate_ofOtherCodecs_isH264InTheirSizeAndRate() {
        Track av1 = new Track(Track.VIDEO_ID, Timescale.VIDEO, CodecRecords.av1());
        Track hevc = new Track(Track.VIDEO_ID, Timescale.VIDEO, CodecRecords.hevc());

        StandbyMedia.Loop small = slate(Optional.empty(), List.of(av1)).loops().getFirst();
        StandbyMedia.Loop large = slate(Optional.empty(), List.of(hevc)).loops().getFirst();

        assertEquals("640x360", size(small.track()));
        assertEquals(50, small.units().size(), "25 frames a second, as the request says");
        assertEquals("1280x720", size(large.track()));
        assertEquals(60, large.units().size(), "30 frames a second, as the parameter sets say");
    }

    private static String size(Track track) {
        CodecConfig.Avc codec = (CodecConfig.Avc) track.codec();
        return codec.config().width() + "x" + codec.config().height();
    }

    @Test
    void make_afterClose_fails() {
        encoding.close();

        var refused = assertThrows(CompletionException.class, () -> make(List.of(AAC), List.of()));

        assertInstanceOf(RejectedExecutionException.class, refused.getCause());
    }

    @Test
    void audio_keepsItsTrack_whereItIsAacLcOrOpus() {
        StandbyMedia.Loop aac = make(List.of(AAC), List.of()).loops().getFirst();
        assertEquals(AAC, aac.track());
        assertEquals(1_024, aac.lengthTicks());
        assertSilent(aac, 44_100);
        Track opus = new Track(Track.AUDIO_ID, new Timescale(48_000), CodecRecords.opus());
        StandbyMedia.Loop ofOpus = make(List.of(opus), List.of()).loops().getFirst();
        assertEquals(opus, ofOpus.track());
        assertEquals(960, ofOpus.lengthTicks());
        assertSilent(ofOpus, 48_000);
    }

    @Test
    void otherAudio_becomesAacOfTheSameRateAndChannels() {
        Track mp3 =
                new Track(Track.AUDIO_ID, new Timescale(44_100), new CodecConfig.Mp3(44_100, 1));
        StandbyMedia.Loop made = make(List.of(mp3), List.of()).loops().getFirst();
        assertEquals(new CodecConfig.Aac(AudioSpecificConfig.of(44_100, 1)), made.track().codec());
        assertSilent(made, 44_100);
        // Explicit SBR: the core runs at half of the rate that is heard.
        AudioSpecificConfig sbr =
                AudioSpecificConfig.parse(
                        MemorySegment.ofArray(new byte[] {0x2B, 0x11, (byte) 0x88, 0x00}));
        Track he =
                new Track(
                        Track.AUDIO_ID,
                        new Timescale(sbr.sampleRateHz()),
                        new CodecConfig.Aac(sbr));
        StandbyMedia.Loop ofHe = make(List.of(he), List.of()).loops().getFirst();
        assertEquals(
                new CodecConfig.Aac(AudioSpecificConfig.of(2 * sbr.sampleRateHz(), sbr.channels())),
                ofHe.track().codec());
    }

    private static void assertSilent(StandbyMedia.Loop loop, int frames) {
        try (AudioDecoder decoder = AudioDecoder.open(loop.track())) {
            int heard = 0;
            for (int i = 0; heard < frames; i++) {
                AccessUnit unit =
                        loop.units()
                                .getFirst()
                                .at(loop.track(), i * loop.lengthTicks(), /* newOffsetTicks= */ 0);
                for (Pcm pcm : decoder.decode(unit)) {
                    heard += pcm.frames();
                    float[] samples = pcm.samples().toArray(ValueLayout.JAVA_FLOAT);
                    for (float sample : samples) {
                        assertEquals(0, sample, 1e-4, () -> Arrays.toString(samples));
                    }
                }
            }
        }
    }
}
