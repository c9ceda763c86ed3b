package touchline.packager.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.CodecConfig;
import touchline.media.Interruption;
import touchline.media.SessionId;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AvcConfig;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.PublishBarrier;
import touchline.packager.hls.LatencyProfile;
import touchline.packager.hls.LivePlayback.PlaylistKind;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.PackagerRig;
import touchline.packager.hls.RenderedPlaylist;
import touchline.packager.hls.TestMedia;
import touchline.packager.isobmff.BoxReader;

final class StoredPlaybackTest {
    private static final SessionId NAME = new SessionId("ses_1");

    /** As an encoder says it, so that it can be read back. */
    private static final Track VIDEO =
            new Track(
                    Track.VIDEO_ID,
                    Timescale.VIDEO,
                    new CodecConfig.Avc(
                            AvcConfig.parse(
                                    MemorySegment.ofArray(
                                            HexFormat.of()
                                                    .parseHex(
                                                            "0164001fffe1001a6764001facd9405005bb"
                                                                    + "0110000003001000000303c0f18319"
                                                                    + "6001000468ef8fcb")))));

    @TempDir private Path folder;

    /** Three segments: two of one timeline, and one behind a discontinuity. */
    @BeforeEach
    void record() {
        PackagerRig rig =
                new PackagerRig(PackagerRig.settings(LatencyProfile.standard(), 100, true));
        rig.feed(TestMedia.timeline(0, 0, VIDEO))
                .feed(TestMedia.video(new TestMedia.Video(25, 50, 0, 6_000)))
                .feed(Interruption.PUBLISHER_GONE)
                .feed(TestMedia.timeline(1, 20_000, VIDEO))
                .feed(TestMedia.video(new TestMedia.Video(25, 50, 20_000, 3_000)));
        try (Recorder recorder =
                Recorder.open(
                        new Recorder.Settings(
                                NAME, folder, Recorder.Purpose.RECORDING, /* minFreeBytes= */ 0),
                        rig.window,
                        new Recorder.Listener() {})) {
            rig.run(PublishBarrier.OPEN, List.of(recorder));
        }
        rig.window.close();
    }

    private static String text(StoredPlayback playback) {
        RenderedPlaylist text =
                playback.mediaPlaylist(PlaylistKind.WINDOW)
                        .toCompletableFuture()
                        .join()
                        .orElseThrow();
        return StandardCharsets.UTF_8.decode(text.plain().bytes()).toString();
    }

    @Test
    void mediaPlaylist_ofAFinishedRecording_isThisText() throws IOException {
        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:6
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-MEDIA-SEQUENCE:100
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-MAP:URI="init0.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:00.000Z
                #EXTINF:4.000000,
                s100.m4s
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:04.000Z
                #EXTINF:2.000000,
                s101.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-MAP:URI="init1.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-11-20T12:00:20.000Z
                #EXTINF:3.000000,
                s102.m4s
                #EXT-X-ENDLIST
                """,
                text(StoredPlayback.open(NAME, folder, /* complete= */ true)));
    }

    @Test
    void mediaPlaylist_ofOneThatGrows_isAnEventWithoutEnd() throws IOException {
        String text = text(StoredPlayback.open(NAME, folder, /* complete= */ false));

        assertTrue(text.contains("#EXT-X-PLAYLIST-TYPE:EVENT\n"), text);
        assertTrue(text.endsWith("s102.m4s\n"), text);
    }

    @Test
    void multivariant_belowAPrefix_isThisText() throws IOException {
        StoredPlayback playback = StoredPlayback.open(NAME, folder, /* complete= */ true);
        long bytes = 0;
        long peakBps = 0;
        for (Recording.Segment segment : Recording.load(folder).segments()) {
            bytes += segment.place().sizeBytes();
            if (segment.durationUs() >= 3_000_000) {
                long bps =
                        Math.ceilDiv(segment.place().sizeBytes() * 8_000_000, segment.durationUs());
                peakBps = Math.max(peakBps, bps);
            }
        }

        assertEquals(
                """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-STREAM-INF:BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d,CODECS="avc1.64001f",\
                RESOLUTION=1280x720,FRAME-RATE=30.000
                id/~grant/ses_1/media.m3u8
                """
                        .formatted(peakBps, Math.ceilDiv(bytes * 8_000_000, 9_000_000)),
                playback.multivariant("id/~grant/").orElseThrow());
        assertEquals(720, playback.shorterSide());
    }

    @Test
    void media_byTheNamesOfTheSession_liesInItsFiles() throws IOException {
        StoredPlayback playback = StoredPlayback.open(NAME, folder, /* complete= */ true);

        assertArrayEquals(
                Files.readAllBytes(folder.resolve("init1.mp4")),
                bytes(playback.initSegment(1).orElseThrow()));
        for (long number = 100; number <= 102; number++) {
            byte[] segment = bytes(playback.segment(number).orElseThrow());
            List<String> types =
                    BoxReader.walk(MemorySegment.ofArray(segment)).stream()
                            .map(BoxReader.Box::type)
                            .toList();
            assertEquals(List.of("moof", "mdat"), types.subList(0, 2));
        }
        assertEquals(Optional.empty(), playback.initSegment(2));
        assertEquals(Optional.empty(), playback.segment(103));
        assertTrue(playback.whenAvailable(102, OptionalInt.of(0)).toCompletableFuture().join());
        assertFalse(playback.whenAvailable(103, OptionalInt.empty()).toCompletableFuture().join());
    }

    /** A player may hold a playlist of the session that lists them. */
    @Test
    void parts_askedForAfterTheSession_areTheSegmentInPieces() throws IOException {
        StoredPlayback playback = StoredPlayback.open(NAME, folder, /* complete= */ true);

        assertTrue(playback.whenPart(101, 1).toCompletableFuture().join());
        ByteArrayOutputStream pieces = new ByteArrayOutputStream();
        int parts = Recording.load(folder).segments().get(1).parts();
        assertTrue(parts > 1);
        for (int i = 0; i < parts; i++) {
            pieces.write(bytes(playback.part(101, i).orElseThrow()));
        }

        assertArrayEquals(bytes(playback.segment(101).orElseThrow()), pieces.toByteArray());
        assertEquals(Optional.empty(), playback.part(101, parts));
        assertFalse(playback.whenPart(101, parts).toCompletableFuture().join());
        assertFalse(playback.whenPart(103, 0).toCompletableFuture().join());
    }

    @Test
    void parts_behindADiscontinuity_areNumberedFromOne() throws IOException {
        StoredPlayback playback = StoredPlayback.open(NAME, folder, /* complete= */ true);
        Recording.Segment behind =
                Recording.load(folder).segments().stream()
                        .filter(segment -> segment.init() == 1)
                        .findFirst()
                        .orElseThrow();
        long number = behind.mediaSequence();

        assertFalse(playback.whenPart(number, 0).toCompletableFuture().join());
        assertTrue(playback.whenPart(number, behind.parts()).toCompletableFuture().join());
        assertFalse(playback.whenPart(number, behind.parts() + 1).toCompletableFuture().join());
        assertEquals(Optional.empty(), playback.part(number, 0));
        byte[] segment = bytes(playback.segment(number).orElseThrow());
        byte[] first = bytes(playback.part(number, 1).orElseThrow());
        assertArrayEquals(Arrays.copyOf(segment, first.length), first);
    }

    @Test
    void multivariant_afterAnotherEncoderTookOver_namesTheCodecsOfAll() throws IOException {
        byte[] init = Files.readAllBytes(folder.resolve("init1.mp4"));
        String text = new String(init, StandardCharsets.ISO_8859_1);
        // Level 3 in place of 3.1, in the configuration record and in the parameter set.
        init[text.indexOf("avcC") + 7] = 0x1e;
        init[text.indexOf("gd\0\u001f") + 3] = 0x1e;
        // Its file has the name of the one before, too.
        Files.delete(folder.resolve("init1.mp4"));
        Files.write(folder.resolve("init1.mp4"), init);

        String playlist =
                StoredPlayback.open(NAME, folder, /* complete= */ true)
                        .multivariant("")
                        .orElseThrow();

        assertTrue(playlist.contains("CODECS=\"avc1.64001f,avc1.64001e\""), playlist);
    }

    @Test
    void open_nothingRecordedOrNoFolder_saysSo() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        new Recording(List.of(), List.of(), true).save(empty);

        assertThrows(MalformedMediaException.class, () -> StoredPlayback.open(NAME, empty, true));
        assertThrows(MalformedMediaException.class, () -> StoredMp4.open(empty));
        assertThrows(
                NoSuchFileException.class,
                () -> StoredPlayback.open(NAME, folder.resolve("gone"), true));
    }

    @Test
    void mp4_savedOnce_isTheHeadAndTheFiles() throws IOException {
        StoredMp4 first = StoredMp4.open(folder);
        Mp4View view = Mp4View.of(Recording.load(folder), folder);

        byte[] movie = bytes(first.body());
        assertEquals(view.sizeBytes(), movie.length);
        assertEquals(movie.length, first.body().sizeBytes());
        List<String> order =
                BoxReader.walk(MemorySegment.ofArray(movie)).stream()
                        .map(BoxReader.Box::type)
                        .toList();
        assertEquals(List.of("ftyp", "moov", "mdat"), order);
        assertEquals(first, StoredMp4.open(folder), "the same again");
        try (var files = Files.list(folder)) {
            assertTrue(files.noneMatch(file -> file.toString().endsWith(".tmp")));
        }
    }

    @Test
    void mp4_headThatIsMissingTornOrOfOtherMedia_isMadeAnew() throws IOException {
        StoredMp4 first = StoredMp4.open(folder);
        Path saved = folder.resolve(StoredMp4.HEAD);
        byte[] head = Files.readAllBytes(saved);
        byte[] other = head.clone();
        other[other.length - 1]++;

        for (byte[] bad : List.of(new byte[0], Arrays.copyOf(head, head.length - 3), other)) {
            Files.write(saved, bad);
            assertEquals(first, StoredMp4.open(folder));
            assertArrayEquals(head, Files.readAllBytes(saved));
        }
        Files.delete(saved);
        assertEquals(first, StoredMp4.open(folder));
        byte[] renamed = head.clone();
        renamed[8]++;
        Files.write(saved, renamed);
        assertNotEquals(first.entityTag(), StoredMp4.open(folder).entityTag());
    }

    private static byte[] bytes(MediaBody body) throws IOException {
        List<MediaBody.FileRange> ranges =
                switch (body) {
                    case MediaBody.FileRange range -> List.of(range);
                    case MediaBody.FileSequence(var files, _) -> files;
                    case MediaBody.Blocks _, MediaBody.PartlyStored _, MediaBody.Fetched _ ->
                            throw new AssertionError("in memory");
                };
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (MediaBody.FileRange range : ranges) {
            byte[] file = Files.readAllBytes(range.file());
            out.write(file, (int) range.offsetBytes(), (int) range.sizeBytes());
        }
        return out.toByteArray();
    }
}
