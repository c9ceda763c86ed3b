package touchline.media.decoding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.Colour;
import touchline.media.ffmpeg.DecoderMemory;
import touchline.media.ffmpeg.FrameFormat;
import touchline.media.ffmpeg.FrameRate;
import touchline.media.ffmpeg.TestMedia;
import touchline.media.ffmpeg.VideoFrame;
import touchline.media.ffmpeg.VideoSettings;
import touchline.media.worker.WorkerLaunch;
import touchline.media.worker.WorkerLimits;
import touchline.testing.Await;
import touchline.testing.CodecRecords;
import touchline.testing.Threads;

/** Real child processes that decode, and that fail at it. */
@Timeout(480)
final class DecodingPoolIT {
    /** Rows of these frames have padding in memory. */
    private static final VideoSettings SETTINGS =
            VideoSettings.live(
                    new FrameFormat(330, 250, Colour.BT709), FrameRate.of(25), TestMedia.encoder());

    private static final List<AccessUnit> UNITS = TestMedia.video(SETTINGS, 50);

    /** These owners have different places of two. */
    private static final String OWNER = "a";

    private static final String OTHER = "b";

    private final long usedBefore = DecoderMemory.usedBytes();

    @TempDir Path folder;

    private DecodingPool pool;

    @BeforeEach
    void start() {
        pool = pool(Duration.ofSeconds(20), Duration.ofMinutes(1));
    }

    private DecodingPool pool(Duration deadline, Duration idle) {
        return new DecodingPool(
                WorkerLaunch.likeThisJvm(
                        FaultyDecodingMain.class.getName(),
                        folder,
                        new WorkerLimits(64L << 20, 768L << 20, /* niceness= */ 0)),
                new DecodingPool.Settings(/* children= */ 2, deadline, idle));
    }

    @AfterEach
    void stop() throws Exception {
        DecoderMemory.limit(Long.MAX_VALUE);
        List<ProcessHandle> children = children();
        pool.close();
        children.forEach(child -> assertFalse(child.isAlive()));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
        assertEquals(usedBefore, DecoderMemory.usedBytes());
    }

    private List<ProcessHandle> children() {
        return pool.pids().mapToObj(pid -> ProcessHandle.of(pid).orElseThrow()).toList();
    }

    private static Track track() {
        return UNITS.getFirst().track();
    }

    /** The first unit at a time that makes the child fail. */
    private static AccessUnit fault(long dtsTicks) {
        AccessUnit first = UNITS.getFirst();
        return new AccessUnit(first.track(), dtsTicks, 0, true, first.payload());
    }

    private static GopDecoder.Wanted from(long us) {
        return new GopDecoder.Wanted(us, OptionalLong.empty());
    }

    /** Time and samples of a frame. */
    private static String content(VideoFrame frame) {
        try (frame;
                VideoFrame dense = VideoFrame.copyOf(frame.view(), frame.format().colour())) {
            dense.sampleAspect(frame.sampleAspect());
            return frame.ptsTicks()
                    + " "
                    + frame.format()
                    + " "
                    + frame.sampleAspect()
                    + " "
                    + java.util.Arrays.hashCode(dense.toPng());
        }
    }

    @Test
    void frames_ofAChild_areThoseOfThisProcess() {
        try (GopDecoder local = GopDecoders.LOCAL.open(track(), OWNER);
                GopDecoder remote = pool.open(track(), OWNER)) {
            assertEquals(
                    local.keyFrame(UNITS.getFirst()).map(DecodingPoolIT::content),
                    remote.keyFrame(UNITS.getFirst()).map(DecodingPoolIT::content));

            local.flush();
            remote.flush();
            GopDecoder.Found expected = local.first(UNITS, from(400_000));
            GopDecoder.Found found = remote.first(UNITS, from(400_000));
            assertEquals(expected.used(), found.used());
            assertEquals(
                    expected.frame().map(DecodingPoolIT::content),
                    found.frame().map(DecodingPoolIT::content));

            List<AccessUnit> rest = UNITS.subList(found.used(), UNITS.size());
            assertEquals(
                    local.last(rest).map(DecodingPoolIT::content),
                    remote.last(rest).map(DecodingPoolIT::content));
            assertTrue(remote.remoteCpuNs() > 0);
        }
        assertEquals(1, pool.started());
    }

    @Test
    void last_moreUnitsThanARequestHas_isTheLastOfAll() {
        List<AccessUnit> many = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            for (AccessUnit unit : UNITS) {
                many.add(unit.at(unit.track(), unit.dtsTicks() + i * 180_000L, 0));
            }
        }
        try (GopDecoder remote = pool.open(track(), OWNER)) {
            try (VideoFrame frame = remote.last(many).orElseThrow()) {
                assertEquals(many.getLast().ptsTicks(), frame.ptsTicks());
            }
        }
    }

    @Test
    void open_otherCodecs_areOpenedInTheChild() {
        for (CodecConfig codec : List.of(CodecRecords.hevc(), CodecRecords.av1())) {
            Track other = new Track(Track.VIDEO_ID, Timescale.VIDEO, codec);
            try (GopDecoder remote = pool.open(other, OWNER)) {
                assertEquals(Optional.empty(), remote.rest(from(0)));
            }
        }
        assertEquals(1, pool.started());
    }

    @Test
    void first_exceptOfOneTime_isTheNextFrame() {
        try (GopDecoder remote = pool.open(track(), OWNER)) {
            remote.flush();
            Optional<VideoFrame> found =
                    remote.first(UNITS, new GopDecoder.Wanted(0, OptionalLong.of(0))).frame();

            try (VideoFrame frame = found.orElseThrow()) {
                assertEquals(40_000, frame.ptsUs());
            }
        }
    }

    @Test
    void childKilled_costsItsOwnersOneRequest_andIsReplaced() {
        try (GopDecoder other = pool.open(track(), OTHER);
                GopDecoder remote = pool.open(track(), OWNER)) {
            close(remote.keyFrame(UNITS.getFirst()));
            long pid = pool.pids().findFirst().orElseThrow();
            close(other.keyFrame(UNITS.getFirst()));

            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            ProcessHandle.of(pid).ifPresent(child -> child.onExit().join());
            Await.until(() -> Threads.named("worker-replies-" + pid).isEmpty(), "its end is known");

            var lost =
                    assertThrows(
                            DecodingFailedException.class, () -> remote.keyFrame(UNITS.getFirst()));
            assertFalse(lost.causedByMedia());
            close(other.keyFrame(UNITS.getFirst()));
        }
        decodesAgain(OWNER);
        assertEquals(3, pool.started());
        assertEquals(1, pool.crashed());
    }

    @Test
    void childThatEnds_whileADecoderOpens_isNoFaultOfItsMedia() throws Exception {
        decodesAgain(OWNER);
        ProcessHandle child = children().getFirst();
        stop(child);
        Await.until(() -> isStopped(child));
        CompletableFuture<DecodingFailedException> lost = new CompletableFuture<>();
        Thread next =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try (GopDecoder remote = pool.open(track(), OWNER)) {
                                        close(remote.keyFrame(UNITS.getFirst()));
                                        lost.cancel(false);
                                    } catch (DecodingFailedException e) {
                                        lost.complete(e);
                                    }
                                });
        Await.until(() -> next.getState() == Thread.State.TIMED_WAITING);

        // Whatever the child has started ends with it.
        child.destroyForcibly();

        assertFalse(lost.join().causedByMedia());
        decodesAgain(OWNER);
        assertEquals(1, pool.crashed());
    }

    private static void stop(ProcessHandle process) throws Exception {
        List<String> command = new ArrayList<>(List.of("kill", "-STOP"));
        withChildren(process).forEach(each -> command.add(each.pid() + ""));
        assertEquals(0, new ProcessBuilder(command).start().waitFor());
    }

    private static Stream<ProcessHandle> withChildren(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants());
    }

    /** Threads stop one after the other; the one that reads requests may still answer one. */
    private static boolean isStopped(ProcessHandle process) {
        return withChildren(process)
                .flatMap(each -> states(Path.of("/proc", each.pid() + "", "task")))
                .allMatch("T"::equals);
    }

    /** States of a process's threads, as in proc_pid_stat(5). */
    private static Stream<String> states(Path tasks) {
        try (Stream<Path> listed = Files.list(tasks)) {
            List<String> states = new ArrayList<>();
            for (Path task : listed.toList()) {
                String stat = Files.readString(task.resolve("stat"));
                states.add(stat.substring(stat.lastIndexOf(')') + 2).split(" ", 2)[0]);
            }
            return states.stream();
        } catch (IOException e) {
            return Stream.of("unknown: " + e);
        }
    }

    @Test
    void media_thatEndsTheChild_isBlamed_othersGoOn() {
        assertEquals(
                "the decoding process ended with status 139",
                fails(FaultyDecodingMain.ENDS).getMessage());
        try (GopDecoder other = pool.open(track(), OTHER)) {
            close(other.keyFrame(UNITS.getFirst()));
        }
        decodesAgain(OWNER);
    }

    @Test
    void media_thatEatsMemory_endsTheChildOnly() {
        assertEquals(
                "the decoding process ran out of memory",
                fails(FaultyDecodingMain.EATS_MEMORY).getMessage());
        decodesAgain(OWNER);
    }

    @Test
    void reply_withoutItsFrame_isAnError_theChildIsKilled() {
        assertEquals("files: decoded frame", fails(FaultyDecodingMain.LIES).getMessage());
        decodesAgain(OWNER);
        assertEquals(1, pool.crashed());
    }

    @Test
    void media_thatHangs_isKilledAtTheDeadline() {
        pool.close();
        // A child's first decoder, which loads the libraries, has no more time.
        pool = pool(Duration.ofSeconds(10), Duration.ofMinutes(1));

        assertEquals(
                "decoding took longer than PT10S", fails(FaultyDecodingMain.HANGS).getMessage());
    }

    private DecodingFailedException fails(long dtsTicks) {
        try (GopDecoder remote = pool.open(track(), OWNER)) {
            close(remote.keyFrame(UNITS.getFirst()));
            var failed =
                    assertThrows(
                            DecodingFailedException.class, () -> remote.keyFrame(fault(dtsTicks)));
            assertTrue(failed.causedByMedia());
            return failed;
        }
    }

    /** After the pause. */
    private void decodesAgain(String owner) {
        Await.until(
                () -> {
                    try (GopDecoder again = pool.open(track(), owner)) {
                        close(again.keyFrame(UNITS.getFirst()));
                        return true;
                    } catch (DecodingFailedException e) {
                        assertFalse(e.causedByMedia());
                        return false;
                    }
                });
    }

    @Test
    void noise_isMalformed_theChildGoesOn() {
        byte[] noise = new byte[2_000];
        for (int i = 4; i < noise.length; i++) {
            noise[i] = (byte) (i * 31 + 7);
        }
        try (GopDecoder remote = pool.open(track(), OWNER)) {
            AccessUnit broken = new AccessUnit(track(), 0, 0, true, MemorySegment.ofArray(noise));
            assertThrows(MalformedMediaException.class, () -> remote.keyFrame(broken));
            close(remote.keyFrame(UNITS.getFirst()));
        }
        assertEquals(1, pool.started());
    }

    @Test
    void open_aboveTheMemoryForDecoders_isRefusedBeforeAChildStarts() {
        DecoderMemory.limit(usedBefore + 1);

        assertThrows(DecodingRefusedException.class, () -> pool.open(track(), OWNER));

        assertEquals(0, pool.started());
    }

    @Test
    void unusedChild_ends_andStartsOnDemand() {
        pool.close();
        pool = pool(Duration.ofSeconds(20), Duration.ofMillis(50));
        ProcessHandle child;
        try (GopDecoder used = pool.open(track(), OWNER)) {
            close(used.keyFrame(UNITS.getFirst()));
            child = children().getFirst();
        }

        child.onExit().join();

        Await.until(() -> pool.pids().count() == 0);
        decodesAgain(OWNER);
        assertEquals(2, pool.started());
        assertEquals(0, pool.crashed());
    }

    private static void close(Optional<VideoFrame> frame) {
        frame.orElseThrow().close();
    }
}
