package touchline.api.maintenance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.api.db.Database;
import touchline.api.db.EventRepository;
import touchline.api.db.MemoryDatabase;
import touchline.api.domain.Event;
import touchline.api.domain.PageRequest;
import touchline.api.http.EventSchemaCheck;
import touchline.media.store.DiskSpace;

final class DiskWatchTest {
    private final Database database = MemoryDatabase.open();
    private long freeBytes = 5_000;
    private boolean broken;
    private long freeInodes = Long.MAX_VALUE;
    private final DiskWatch watch =
            new DiskWatch(database, this::free, () -> new DiskSpace.Least(1_000, 100));

    private DiskSpace free() throws IOException {
        if (broken) {
            throw new IOException("no such disk");
        }
        return new DiskSpace(freeBytes, 10_000, freeInodes, 10_000);
    }

    @AfterEach
    void close() {
        watch.close();
        database.close();
    }

    private List<Event> reported(long bytes) {
        freeBytes = bytes;
        watch.look();
        return new EventRepository(database)
                .list(EventRepository.Choice.ALL, PageRequest.FIRST)
                .items();
    }

    @Test
    void disk_thatGetsFull_isReportedOnceUntilThereIsSpaceAgain() {
        assertEquals(0, reported(1_000).size());
        assertEquals(1, reported(999).size());
        assertEquals(1, reported(10).size());
        assertEquals(1, reported(1_050).size());
        assertEquals(1, reported(900).size());
        assertEquals(1, reported(1_100).size());
        assertEquals(2, reported(999).size());
        String body = reported(999).getFirst().body();
        assertTrue(body.contains("\"free_bytes\":999"), body);
        EventSchemaCheck.SHARED.check(body);
    }

    @Test
    void disk_withoutInodes_isReportedOnceUntilThereAreSomeAgain() {
        freeInodes = 100;
        assertEquals(0, reported(5_000).size());
        freeInodes = 99;
        assertEquals(1, reported(5_000).size());
        freeInodes = 105;
        assertEquals(1, reported(5_000).size());
        freeInodes = 99;
        assertEquals(1, reported(5_000).size());
        freeInodes = 110;
        assertEquals(1, reported(5_000).size());
        freeInodes = 0;
        String body = reported(5_000).getFirst().body();

        assertEquals(2, reported(5_000).size());
        assertTrue(body.contains("\"free_inodes\":0"), body);
        assertTrue(body.contains("\"min_free_inodes\":100"), body);
        EventSchemaCheck.SHARED.check(body);
    }

    @Test
    void disk_thatCannotBeQueried_isNotReported() {
        broken = true;
        assertEquals(0, reported(1).size());
    }
}
