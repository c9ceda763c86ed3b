package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** A listener that records events and waits for them. */
final class PageWitness implements PageListener {
    /** Long enough for a loaded machine. */
    static final Duration SOON = Duration.ofMinutes(3);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> events = new ArrayList<>();
    private final List<Shot> shots = new ArrayList<>();
    private volatile long silentNs = -1;

    /** Box of a frame, and colour in the middle of the window as {@code rrggbbaa}. */
    record Shot(int width, int height, PixelBox changed, String middle, int barcode) {}

    @Override
    public void loaded() {
        record("loaded");
    }

    @Override
    public void failed(String reason, long silentSinceNs) {
        silentNs = silentSinceNs;
        record("failed: " + reason);
    }

    @Override
    public void recovered() {
        record("recovered");
    }

    @Override
    public void frame(PageFrame frame) {
        Shot shot =
                new Shot(
                        frame.widthPixels(),
                        frame.heightPixels(),
                        frame.changed(),
                        pixel(frame, frame.widthPixels() / 2, frame.heightPixels() / 2),
                        barcode(frame));
        lock.lock();
        try {
            shots.add(shot);
            events.add("frame");
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    static String pixel(PageFrame frame, int x, int y) {
        byte[] rgba = new byte[4];
        long at = (long) y * frame.strideBytes() + 4L * x;
        for (int i = 0; i < 4; i++) {
            rgba[i] = frame.pixels().get(ValueLayout.JAVA_BYTE, at + i);
        }
        return HexFormat.of().formatHex(rgba);
    }

    /** Sixteen bits, each 1/16 of the window's width, white is 1; see BARCODE. */
    private static int barcode(PageFrame frame) {
        int value = 0;
        for (int bit = 0; bit < 16; bit++) {
            int x = (2 * bit + 1) * frame.widthPixels() / 32;
            if (pixel(frame, x, frame.heightPixels() / 4).equals("ffffffff")) {
                value |= 1 << bit;
            }
        }
        return value;
    }

    /** Time since the page's last answer, at the last failure. */
    long silentNs() {
        return silentNs;
    }

    List<String> events() {
        lock.lock();
        try {
            return List.copyOf(events);
        } finally {
            lock.unlock();
        }
    }

    List<Shot> shots() {
        lock.lock();
        try {
            return List.copyOf(shots);
        } finally {
            lock.unlock();
        }
    }

    Shot awaitShot(Predicate<Shot> wanted) throws InterruptedException {
        await(all -> !shots.isEmpty() && wanted.test(shots.getLast()), "a frame");
        return shots().getLast();
    }

    /** Waits for this number of such events. */
    void awaitEvent(String what, int times) throws InterruptedException {
        await(all -> count(all, what) >= times, times + " x " + what);
    }

    /** The first failure's reason. */
    String awaitFailure() throws InterruptedException {
        await(all -> all.stream().anyMatch(each -> each.startsWith("failed: ")), "a failure");
        return events().stream()
                .filter(each -> each.startsWith("failed: "))
                .findFirst()
                .orElseThrow();
    }

    private static long count(List<String> all, String what) {
        return all.stream().filter(each -> each.equals(what)).count();
    }

    private void await(Predicate<List<String>> wanted, String what) throws InterruptedException {
        long leftNs = SOON.toNanos();
        lock.lock();
        try {
            while (!wanted.test(events)) {
                if (leftNs <= 0) {
                    fail("not within %s: %s; so far: %s %s".formatted(SOON, what, events, shots));
                }
                leftNs = changed.awaitNanos(Math.min(leftNs, TimeUnit.SECONDS.toNanos(60)));
            }
        } finally {
            lock.unlock();
        }
    }

    private void record(String what) {
        lock.lock();
        try {
            events.add(what);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
