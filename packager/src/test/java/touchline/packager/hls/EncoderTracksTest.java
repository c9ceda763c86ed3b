package touchline.packager.hls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static touchline.packager.hls.RenditionRig.MEDIUM;
import static touchline.packager.hls.RenditionRig.SMALL;
import static touchline.packager.hls.RenditionRig.at;
import static touchline.packager.hls.RenditionRig.multivariant;
import static touchline.packager.hls.RenditionRig.steady;
import static touchline.packager.hls.RenditionRig.timeline;
import static touchline.packager.hls.TestMedia.AUDIO;
import static touchline.packager.hls.TestMedia.VIDEO;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.hub.Feed;
import touchline.media.hub.PublishBarrier;
import touchline.media.hub.PublishBarrier.Verdict;
import touchline.media.hub.TrackLabel;
import touchline.packager.hls.Fragments.Read;

/** Further tracks of a multitrack publisher: their times are rounded by the publisher. */
final class EncoderTracksTest {
    private static final LatencyProfile STANDARD = LatencyProfile.standard();
    private static final LatencyProfile LOW = LatencyProfile.low(Duration.ofMillis(250));
    private static final Track OTHER_AUDIO =
            new Track(
                    Track.AUDIO_ID,
                    new Timescale(44_100),
                    new CodecConfig.Aac(AudioSpecificConfig.of(44_100, 1)));

    @TempDir private Path folder;

    static List<LatencyProfile> profiles() {
        return List.of(STANDARD, LOW);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void roundedTimes_becomeTheSources(LatencyProfile profile) throws InterruptedException {
        List<FeedItem> source = withBFrames(0, 0, 20_000);
        RenditionRig rig = new RenditionRig(profile, folder);
        rig.rendition("480p", jittered(source, MEDIUM, 80));
        rig.rendition("360p", jittered(source, SMALL, -80));
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        for (String name : List.of("480p", "360p")) {
            assertEquals(times(rig.sink, 0), times(rig.sinkOf(name), 0));
            assertEquals(times(rig.sink, 1), times(rig.sinkOf(name), 1));
        }
        rig.close();
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void furtherAudio_hasTheSourcesPartsAndNumbers(LatencyProfile profile)
            throws InterruptedException {
        List<FeedItem> source = steady(0, 16_000);
        source.add(Interruption.PUBLISHER_GONE);
        source.addAll(timeline(1, 20_013, 12_000));
        List<FeedItem> units = audio(0, 0, 16_000);
        units.add(Interruption.PUBLISHER_GONE);
        units.addAll(audio(1, 20_013, 12_000));
        RenditionRig rig = new RenditionRig(profile, folder);
        audioRendition(rig, "audio-1", new TrackLabel("es", "Spanish"), units);
        List<String> seen = new ArrayList<>();
        rig.renditions.sourceAudio(new TrackLabel("en", "English"));
        rig.run(source, PublishBarrier.OPEN, at(source, 14_000, () -> seen.add(multivariant(rig))));

        assertEquals(List.of(), rig.findings());
        CollectingSink own = rig.sinkOf("audio-1");
        assertEquals(
                rig.sink.parts.stream().map(each -> each.durationUs()).toList(),
                own.parts.stream().map(each -> each.durationUs()).toList());
        assertTrue(own.parts.stream().allMatch(each -> each.independent()));
        assertGapless(own, 44_100);
        assertEquals(units.stream().filter(AccessUnit.class::isInstance).count(), count(own));
        String text = seen.getFirst();
        assertTrue(
                text.contains(
                        """
                        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",\
                        DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="id/session-1/audio-0/media.m3u8"
                        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Spanish",LANGUAGE="es",\
                        DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="id/session-1/audio-1/media.m3u8"
                        """),
                text);
        assertTrue(text.contains(",AUDIO=\"audio\""), text);
        assertTrue(text.endsWith("id/session-1/source-video/media.m3u8\n"), text);
        assertTrue(text.contains("CODECS=\"avc1.64001f,mp4a.40.2\""), text);
        assertEquals(times(rig.sink, 0), times(rig.sinkOf("source-video"), 0));
        assertEquals(times(rig.sink, 1), times(rig.sinkOf("audio-0"), 0));
        assertTrue(Fragments.all(rig.sinkOf("source-video"), 1).isEmpty(), "frames without audio");
        rig.close();
    }

    @Test
    void audioThatStops_endsItsRenditionOnly() throws InterruptedException {
        List<FeedItem> source = steady(0, 20_000);
        RenditionRig rig = new RenditionRig(STANDARD, folder).withoutComparison();
        audioRendition(rig, "audio-1", new TrackLabel("", "Audio 2"), audio(0, 0, 9_000));
        rig.rendition("480p", jittered(source, MEDIUM, 0));
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        assertTrue(rig.window.rendition("audio-1").isEmpty());
        assertFalse(multivariant(rig).contains("AUDIO"));
        assertTrue(rig.window.rendition("480p").isPresent());
        rig.close();
    }

    @Test
    void audioThatBeginsLater_startsWithTheNextSegment() throws InterruptedException {
        List<FeedItem> source = steady(0, 24_000);
        RenditionRig rig = new RenditionRig(STANDARD, folder).withoutComparison();
        Feed feed = new Feed();
        rig.renditions.startAudio("audio-1", feed.subscribe("audio-1", 8 << 20));
        List<FeedItem> late = audio(0, 0, 24_000);
        late.removeIf(item -> item instanceof AccessUnit unit && unit.dtsUs() < 9_000_000);
        late.forEach(feed::offer);
        feed.flush();
        feed.end();
        rig.run(source);

        assertEquals(List.of(), rig.findings());
        assertEquals(103, rig.sinkOf("audio-1").parts.getFirst().mediaSequence());
        rig.close();
    }

    @Test
    void gate_holdsAllRenditions() throws InterruptedException {
        PublishBarrier barrier =
                (_, lastPtsUs) ->
                        lastPtsUs > 7_300_000 && lastPtsUs < 8_100_000
                                ? Verdict.DISCARD
                                : Verdict.PASS;
        List<FeedItem> source = steady(0, 24_000);
        RenditionRig rig = new RenditionRig(LOW, folder);
        rig.rendition("480p", jittered(source, MEDIUM, 60));
        audioRendition(rig, "audio-1", new TrackLabel("", "Audio 2"), audio(0, 0, 24_000));
        rig.run(source, barrier, _ -> {});

        assertEquals(List.of(), rig.findings());
        List<Long> shown = parts(rig.sink);
        assertEquals(shown, parts(rig.sinkOf("480p")));
        assertEquals(shown, parts(rig.sinkOf("480p-video")));
        assertEquals(times(rig.sink, 0), times(rig.sinkOf("480p-video"), 0));
        assertTrue(Fragments.all(rig.sinkOf("480p-video"), 1).isEmpty());
        assertEquals(shown, parts(rig.sinkOf("audio-1")));
        assertGapless(rig.sinkOf("audio-1"), 44_100);
        rig.close();
    }

    private static List<Long> parts(CollectingSink sink) {
        return sink.parts.stream().map(each -> each.startUs()).toList();
    }

    private static void audioRendition(
            RenditionRig rig, String name, TrackLabel label, List<FeedItem> items) {
        Feed feed = new Feed();
        rig.renditions.label(name, label);
        rig.renditions.startAudio(name, feed.subscribe(name, 8 << 20));
        items.forEach(feed::offer);
        feed.flush();
        feed.end();
    }

    private static List<Read> times(CollectingSink sink, int run) {
        return Fragments.all(sink, run).stream()
                .map(read -> new Read(read.dts(), read.pts(), read.duration(), 0))
                .toList();
    }

    private static long count(CollectingSink sink) {
        return Fragments.all(sink, 0).size();
    }

    private static void assertGapless(CollectingSink sink, int ticksPerSecond) {
        long at = Long.MIN_VALUE;
        for (Read read : Fragments.all(sink, 0)) {
            long near = ticksPerSecond / 20;
            assertTrue(at == Long.MIN_VALUE || Math.abs(read.dts() - at) <= near, "no gap");
            at = read.dts() + read.duration();
        }
    }

    private static List<FeedItem> withBFrames(int sequence, long startMs, long durationMs) {
        List<FeedItem> items = new ArrayList<>();
        items.add(TestMedia.timeline(sequence, startMs, VIDEO, AUDIO));
        items.addAll(
                TestMedia.interleaved(
                        TestMedia.videoWithB(new TestMedia.Video(25, 49, startMs, durationMs)),
                        TestMedia.audio(startMs, durationMs)));
        return items;
    }

    private static List<FeedItem> audio(int sequence, long startMs, long durationMs) {
        List<FeedItem> items = new ArrayList<>();
        items.add(TestMedia.timeline(sequence, startMs, OTHER_AUDIO));
        long end = (startMs + durationMs) * 441 / 10;
        for (long at = (startMs * 441 + 9) / 10; at < end; at += 1024) {
            items.add(
                    new AccessUnit(OTHER_AUDIO, at, 0, true, MemorySegment.ofArray(new byte[16])));
        }
        return items;
    }

    /** The source's units as another track, each second one off by some ticks. */
    private static List<FeedItem> jittered(
            List<? extends FeedItem> source, Track track, int offTicks) {
        List<FeedItem> items = new ArrayList<>();
        for (FeedItem item : source) {
            switch (item) {
                case Timeline started ->
                        items.add(
                                new Timeline(
                                        started.sequence(),
                                        List.of(track),
                                        started.startUs(),
                                        started.startedAt()));
                case Interruption gone -> items.add(gone);
                case AccessUnit unit -> {
                    if (unit.track().isVideo()) {
                        int off = items.size() % 2 == 0 ? offTicks : 0;
                        items.add(
                                unit.at(
                                        track,
                                        unit.dtsTicks() + off,
                                        unit.compositionTimeOffsetTicks() - off / 2));
                    }
                }
            }
        }
        return items;
    }
}
