package touchline.api.db;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import touchline.api.AtOnce;
import touchline.api.domain.StreamDefinition;
import touchline.media.StreamId;
import touchline.packager.audience.ViewerMinute;

/** Contract of {@link ViewerRepository} on any database. */
abstract class ViewerRepositoryContract {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Optional<StreamId> MATCH = Optional.of(new StreamId("str_match"));
    private static final Optional<StreamId> ALL = Optional.empty();

    private ViewerRepository viewers;

    abstract Database database();

    @BeforeEach
    void empty() {
        database().with(handle -> handle.execute("DELETE FROM viewer_minutes"));
        viewers = new ViewerRepository(database());
    }

    private static Instant at(int minute) {
        return NOON.plus(MINUTE.multipliedBy(minute));
    }

    private static ViewerMinute minute(Optional<StreamId> stream, int minute, int players) {
        return new ViewerMinute(
                stream, at(minute), players, 100, 10, OptionalInt.empty(), OptionalInt.empty());
    }

    private static ViewerMinute reported(int minute, int startupMs, int kbps) {
        return new ViewerMinute(
                MATCH, at(minute), 1, 100, 10, OptionalInt.of(startupMs), OptionalInt.of(kbps));
    }

    private List<ViewerMinute> steps(Optional<StreamId> stream, int from, int to, int step) {
        return viewers.steps(stream, at(from), at(to), MINUTE.multipliedBy(step));
    }

    @Test
    void steps_ofMinutes_areThoseStored() {
        viewers.add(List.of());
        viewers.add(
                List.of(
                        minute(MATCH, 0, 7),
                        minute(ALL, 0, 9),
                        reported(2, 800, 4_000),
                        minute(MATCH, 3, 5)));

        assertEquals(List.of(minute(MATCH, 0, 7), reported(2, 800, 4_000)), steps(MATCH, 0, 3, 1));
        assertEquals(List.of(minute(ALL, 0, 9)), steps(ALL, -5, 100, 1));
        assertEquals(List.of(), steps(Optional.of(new StreamId("str_other")), 0, 100, 1));
    }

    /** All nodes store a minute when it is over. */
    @Test
    void add_ofManyNodesAtOnce_countsEach() throws Exception {
        int nodes = 4;
        for (int i = 0; i < 20; i++) {
            List<ViewerMinute> minutes = List.of(minute(MATCH, i, 1), minute(ALL, i, 1));
            List<Callable<Void>> adds =
                    Collections.nCopies(
                            nodes,
                            () -> {
                                viewers.add(minutes);
                                return null;
                            });
            List<Void> _ = AtOnce.run(adds);
            assertEquals(nodes * 100, steps(MATCH, i, i + 1, 1).getFirst().playedMs());
        }
    }

    @Test
    void steps_ofSeveralMinutes_haveTheirMostSumsAndMedians() {
        viewers.add(
                List.of(
                        minute(MATCH, 0, 2),
                        reported(1, 900, 1_000),
                        reported(3, 100, 3_000),
                        reported(4, 500, 2_000),
                        minute(MATCH, 5, 4),
                        minute(MATCH, 12, 3)));
        ViewerMinute first =
                new ViewerMinute(
                        MATCH, at(0), 2, 400, 40, OptionalInt.of(500), OptionalInt.of(2_000));
        ViewerMinute second = minute(MATCH, 5, 4);
        ViewerMinute third =
                new ViewerMinute(
                        MATCH, at(10), 3, 100, 10, OptionalInt.empty(), OptionalInt.empty());

        assertEquals(List.of(first, second, third), steps(MATCH, 0, 15, 5));
    }

    @Test
    void add_ofAStoredMinute_continuesIt() {
        viewers.add(List.of(reported(0, 700, 2_000)));
        viewers.add(List.of(minute(MATCH, 0, 3)));
        assertEquals(
                List.of(
                        new ViewerMinute(
                                MATCH,
                                at(0),
                                3,
                                200,
                                20,
                                OptionalInt.of(700),
                                OptionalInt.of(2_000))),
                steps(MATCH, 0, 1, 1));

        viewers.add(List.of(reported(0, 300, 1_000)));
        assertEquals(OptionalInt.of(300), steps(MATCH, 0, 1, 1).getFirst().startupMs());
        assertEquals(3, steps(MATCH, 0, 1, 1).getFirst().viewers());
    }

    @Test
    void deleteBefore_isInBatches() {
        viewers.add(List.of(minute(MATCH, 0, 1), minute(ALL, 0, 1), minute(ALL, 1, 1)));

        assertEquals(0, viewers.deleteBefore(at(0), 10));
        assertEquals(1, viewers.deleteBefore(at(1), 1));
        assertEquals(1, viewers.deleteBefore(at(1), 10));
        assertEquals(List.of(minute(ALL, 1, 1)), steps(ALL, 0, 5, 1));
    }

    @Test
    void deleteOrphans_leavesStreamsAndTheTotal() {
        StreamRepository streams = new StreamRepository(database(), Samples.vault());
        StreamDefinition kept = Samples.stream();
        streams.create(kept);
        Optional<StreamId> keptId = Optional.of(kept.id());
        viewers.add(
                List.of(
                        minute(MATCH, 0, 1),
                        minute(MATCH, 1, 1),
                        minute(keptId, 0, 1),
                        minute(ALL, 0, 1)));

        assertEquals(1, viewers.deleteOrphans(1));
        assertEquals(1, viewers.deleteOrphans(10));
        assertEquals(0, viewers.deleteOrphans(10));
        assertEquals(1, steps(keptId, 0, 1, 1).size());
        assertEquals(1, steps(ALL, 0, 1, 1).size());
    }
}
