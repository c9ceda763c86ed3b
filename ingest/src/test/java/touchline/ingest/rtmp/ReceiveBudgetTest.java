package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import touchline.media.codec.MalformedMediaException;

class ReceiveBudgetTest {
    private final ReceiveBudget budget = new ReceiveBudget(1_000);
    private final List<String> cut = new ArrayList<>();

    @Test
    void publisher_aboveTheLimit_cutsOthersLargestFirst() {
        ReceiveBudget.Account small = idle("small", 100);
        idle("large", 400);
        idle("middle", 300);
        ReceiveBudget.Account publisher = publisher();

        publisher.add(500);

        assertEquals(List.of("large"), cut);
        assertEquals(900, budget.usedBytes());
        small.add(-100);
        publisher.add(-500);
        assertEquals(300, budget.usedBytes());
    }

    @Test
    void publisher_withPublishersOnly_isRefused_andReleasesItsBytes() {
        publisher().add(600);
        ReceiveBudget.Account second = publisher();
        second.add(300);

        var refused = assertThrows(MalformedMediaException.class, () -> second.add(200));

        assertEquals(
                "unfinished messages of all connections: more than 1000 bytes",
                refused.getMessage());
        assertEquals(600, budget.usedBytes());
        assertEquals(List.of(), cut);
    }

    @Test
    void idleConnection_aboveTheLimit_isItselfCutWhenItIsTheLargest() {
        idle("other", 300);
        ReceiveBudget.Account greedy = idle("greedy", 600);

        assertThrows(MalformedMediaException.class, () -> greedy.add(200));

        assertEquals(List.of("greedy"), cut);
        assertEquals(300, budget.usedBytes());
    }

    @Test
    void account_usedAfterItsEnd_countsNothing() {
        ReceiveBudget.Account account = idle("gone", 300);
        account.close();
        account.close();

        account.add(100);
        account.add(-300);

        assertEquals(0, budget.usedBytes());
    }

    private ReceiveBudget.Account publisher() {
        ReceiveBudget.Account account = budget.open(() -> cut.add("publisher"));
        account.publishing();
        return account;
    }

    private ReceiveBudget.Account idle(String name, long bytes) {
        ReceiveBudget.Account account = budget.open(() -> cut.add(name));
        account.add(bytes);
        return account;
    }
}
