package touchline.packager.audience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import touchline.media.StreamId;

class AudienceTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final StreamId MATCH = new StreamId("str_match");
    private static final StreamId OTHER = new StreamId("str_other");

    private Instant now = NOON;
    private int perAddress;
    private final CmcdReader report = new CmcdReader();
    private final Audience audience = audience(1_000, 600);
    private final StreamViewers match = audience.open(MATCH);

    private Audience audience(int sessions, int ofStream) {
        return new Audience(
                new Audience.Limits(
                        sessions, ofStream, () -> perAddress, InetAddress::isLoopbackAddress),
                () -> TimeUnit.MILLISECONDS.toNanos(now.toEpochMilli()),
                () -> now);
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** Second by second, as in a server. */
    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now = now.plusSeconds(1);
            audience.tick();
        }
    }

    private CmcdReader report(String text) {
        report.clear();
        report.readHeader(text);
        return report;
    }

    private ViewerSession asks(StreamViewers stream, String sid, String address) {
        return stream.bySid(stream.keyOf(report("sid=\"" + sid + "\"")), address(address));
    }

    /** A request for a segment with this report. */
    private void plays(String sid, String rest) {
        asks(match, sid, "192.0.2.1").reported(report("sid=\"" + sid + "\"," + rest));
    }

    @Test
    void sessions_countForTheWindow() {
        ViewerSession player = asks(match, "one", "192.0.2.1");
        assertSame(player, asks(match, "one", "192.0.2.99"), "wherever it is");
        asks(match, "two", "192.0.2.1");
        match.byAddress(address("192.0.2.1"), "VLC");
        match.byAddress(address("192.0.2.1"), "mpv");
        match.byAddress(address("192.0.2.2"), "VLC");
        assertEquals(0, match.now(), "counted at the next tick");
        pass(1);
        assertEquals(5, match.now());
        pass(10);
        assertTrue(player.asked());
        pass(19);
        assertEquals(5, match.now(), "30 s after their requests");
        pass(1);
        assertEquals(1, match.now());
        assertEquals(1, match.sessions(), "the others are removed");
        pass(11);
        assertEquals(0, match.now());
        assertFalse(player.asked(), "removed: the next request makes another session");
        assertNotSame(player, asks(match, "one", "192.0.2.1"));
        pass(1);
        assertEquals(1, match.now());
    }

    @Test
    void streams_areCountedApart_andTogether() {
        StreamViewers other = audience.open(OTHER);
        asks(match, "one", "192.0.2.1");
        asks(other, "one", "192.0.2.1");
        asks(other, "two", "192.0.2.1");
        pass(1);

        assertEquals(3, audience.now());
        assertEquals(1, audience.now(MATCH));
        assertEquals(Map.of(MATCH, 1, OTHER, 2), audience.nowByStream());
        assertEquals(0, audience.now(new StreamId("str_unknown")));
    }

    @Test
    void close_keepsCountingUntilSessionsHaveRunOut() {
        asks(match, "one", "192.0.2.1");
        audience.close(MATCH);
        pass(1);
        assertEquals(1, audience.now(MATCH));
        assertSame(match, audience.open(MATCH), "shown again");
        audience.close(MATCH);
        pass(31);
        assertEquals(0, audience.now());
        assertNotSame(match, audience.open(MATCH));
    }

    @Test
    void limits_ofStreamAndOfAll_hold() {
        StreamViewers other = audience.open(OTHER);
        for (int i = 0; i < 800; i++) {
            asks(match, "m" + i, "192.0.2.1");
            asks(other, "o" + i, "192.0.2.1");
        }
        pass(1);

        assertEquals(1_000, audience.now());
        assertTrue(match.now() <= 600 && other.now() <= 600);
        assertEquals(1_000, audience.counters().begun(/* bySid= */ true));
        assertEquals(600, audience.counters().notCounted());
        assertFalse(asks(match, "more", "192.0.2.1").asked(), "is looked up again");
        pass(31);
        assertEquals(0, audience.now());
        asks(match, "more", "192.0.2.1");
        pass(1);
        assertEquals(1, audience.now(), "there is room again");

        Audience small = audience(1_000, 3);
        StreamViewers ofSmall = small.open(MATCH);
        for (int i = 0; i < 5; i++) {
            asks(ofSmall, "s" + i, "192.0.2.1");
        }
        small.tick();
        assertEquals(3, small.now());
    }

    @Test
    void limit_perAddress_holds() {
        perAddress = 2;
        for (int i = 0; i < 5; i++) {
            asks(match, "a" + i, "192.0.2.1");
            match.byAddress(address("192.0.2.2"), "agent " + i);
            asks(match, "b" + i, "2001:db8:0:1::" + i);
            asks(match, "c" + i, "127.0.0.1");
        }
        asks(match, "d", "2001:db8:0:2::1");
        pass(1);

        assertEquals(2 + 2 + 2 + 5 + 1, match.now());
        assertEquals(9, audience.counters().notCounted());
        pass(31);
        asks(match, "a7", "192.0.2.1");
        asks(match, "a8", "192.0.2.1");
        pass(1);
        assertEquals(2, match.now(), "the share is free again");
    }

    @Test
    void byAddress_withRepeatedMedia_isSeveralPlayers() {
        ViewerSession home = match.byAddress(address("192.0.2.1"), "VLC");
        for (int i = 0; i < 3; i++) {
            home.sent(0x1234_5678_9abc_def0L);
        }
        asks(match, "one", "192.0.2.1");
        pass(1);
        assertEquals(4, match.now());
        assertFalse(home.isOnePlayer());
    }

    @Test
    void addresses_areHashedAnewEachDay() {
        now = NOON.plus(Duration.ofHours(12)).minusSeconds(1);
        audience.tick();
        ViewerSession today = match.byAddress(address("192.0.2.1"), "VLC");
        ViewerSession player = asks(match, "one", "192.0.2.1");
        assertSame(today, match.byAddress(address("192.0.2.1"), "VLC"));
        pass(1);
        assertNotSame(today, match.byAddress(address("192.0.2.1"), "VLC"));
        assertSame(player, asks(match, "one", "192.0.2.1"));
    }

    @Test
    void minutes_haveTheMostViewersAndTheirReports() {
        pass(1);
        match.began(report("sid=\"one\""), address("192.0.2.1"));
        pass(1);
        plays("one", "ot=v,br=4000,su");
        plays("two", "ot=av,br=1000");
        now = now.plusMillis(500);
        plays("one", "ot=i,br=9999");
        plays("one", "ot=v,br=2500");
        pass(9);
        now = now.plusMillis(500);
        plays("one", "ot=a,br=128,bs");
        plays("one", "ot=v,br=2500,bs,su");
        plays("two", "ot=av,br=1000");
        plays("three", "ot=a,br=64,bs");
        pass(1);
        List<ViewerMinute> running = audience.running();
        ViewerMinute expected =
                new ViewerMinute(
                        Optional.of(MATCH),
                        NOON,
                        3,
                        500 + 9_500 + 10_000,
                        9_500,
                        OptionalInt.of(1_500),
                        OptionalInt.of(1_000));
        ViewerMinute all =
                new ViewerMinute(
                        Optional.empty(),
                        NOON,
                        3,
                        20_000,
                        9_500,
                        OptionalInt.of(1_500),
                        OptionalInt.of(1_000));
        assertEquals(List.of(expected, all), running);
        assertEquals(OptionalDouble.of(0.475), expected.rebufferingRatio());
        assertEquals(List.of(), audience.finished());

        pass(48);
        assertEquals(List.of(expected, all), audience.finished());
        assertEquals(List.of(), audience.finished());
        assertEquals(List.of(), audience.running(), "without viewers");
        assertEquals(8, audience.counters().reports());
        assertEquals(3, audience.counters().starvedReports());
    }

    @Test
    void minutes_ofSessionsThatGoOn_areWritten() {
        asks(match, "one", "192.0.2.1");
        pass(59);
        asks(match, "one", "192.0.2.1");
        pass(1);
        assertEquals(
                List.of(1, 1), audience.finished().stream().map(ViewerMinute::viewers).toList());
        assertEquals(NOON.plusSeconds(60), audience.running().getFirst().start());
        assertEquals(2, audience.last().size(), "the running minute, at the end of the server");
    }

    @Test
    void startup_withoutItsBeginning_isUnknown() {
        plays("late", "ot=v");
        pass(4);
        match.began(report("sid=\"late\""), address("192.0.2.1"));
        plays("late", "ot=v");
        pass(1);
        assertEquals(OptionalInt.empty(), audience.running().getFirst().startupMs());
    }

    /** A session may be removed at the moment in which it is asked for. */
    @Test
    void removal_besideRequests_losesNoPlayer() throws InterruptedException {
        CountDownLatch begin = new CountDownLatch(1);
        Thread player =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        begin.await();
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                    CmcdReader own = new CmcdReader();
                                    own.readHeader("sid=\"one\"");
                                    ViewerSession session = null;
                                    for (int i = 0; i < 200_000; i++) {
                                        if (session == null || !session.asked()) {
                                            session =
                                                    match.bySid(
                                                            match.keyOf(own), address("192.0.2.1"));
                                        }
                                    }
                                });
        begin.countDown();
        while (player.isAlive()) {
            now = now.plusSeconds(31);
            audience.tick();
        }
        player.join();
        asks(match, "one", "192.0.2.1");
        audience.tick();
        assertEquals(1, audience.now());
        pass(31);
        assertEquals(0, audience.now());
        assertEquals(0, match.sessions());
    }
}
