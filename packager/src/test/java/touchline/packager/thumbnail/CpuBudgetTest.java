package touchline.packager.thumbnail;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CpuBudgetTest {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLong now = new AtomicLong(123);
    private final CpuBudget budget = new CpuBudget(25, now::get);

    @Test
    void waitNs_untilASecondIsSpent_isNothing() {
        budget.spend(999 * MS);
        assertEquals(0, budget.waitNs());
        budget.spend(MS);
        assertEquals(4, budget.waitNs());
    }

    @Test
    void waitNs_overspent_isFourTimesTheDebt() {
        budget.spend(1100 * MS);
        assertEquals(400 * MS + 4, budget.waitNs());
        now.addAndGet(400 * MS);
        assertEquals(4, budget.waitNs());
        now.addAndGet(4);
        assertEquals(0, budget.waitNs());
    }

    @Test
    void waitNs_idleForLong_savesASecondAndNoMore() {
        now.addAndGet(3_600_000 * MS);
        assertEquals(0, budget.waitNs());
        budget.spend(1000 * MS);
        assertEquals(4, budget.waitNs());
    }

    @Test
    void await_withCredit_returns() throws InterruptedException {
        budget.await();
        assertEquals(0, budget.waitNs());
    }
}
