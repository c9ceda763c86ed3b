package touchline.media.rendition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.hub.FeedReader;

/** Reads the feeds of all renditions, each on a thread of its own, and records what happens. */
final class FakeListener implements RenditionListener {
    final List<String> ended = new CopyOnWriteArrayList<>();
    final List<String> dropped = new CopyOnWriteArrayList<>();
    final List<Integer> leftOut = new CopyOnWriteArrayList<>();
    final List<DecodingRefusedException> refused = new CopyOnWriteArrayList<>();
    final List<String> reasons = new CopyOnWriteArrayList<>();
    volatile Set<String> late = Set.of();
    volatile Set<Integer> provided = Set.of();

    /** Whether its next call fails. */
    volatile boolean fails;

    private final List<Reading> readings = new CopyOnWriteArrayList<>();
    private volatile @Nullable RenditionLadder ladder;

    private final class Reading {
        private final String name;
        private final List<Timeline> timelines = new CopyOnWriteArrayList<>();
        private final List<AccessUnit> units = new CopyOnWriteArrayList<>();
        private final Thread thread;

        private Reading(String name, FeedReader reader) {
            this.name = name;
            this.thread = Thread.ofVirtual().start(() -> read(reader));
        }

        private void read(FeedReader reader) {
            try (reader) {
                while (reader.drain(this::accept)) {}
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        private void accept(FeedItem item) {
            switch (item) {
                case Timeline timeline -> timelines.add(timeline);
                case AccessUnit unit -> units.add(unit);
                case Interruption _ -> {}
            }
            changed();
        }
    }

    void ladderStarted(RenditionLadder started) {
        ladder = started;
    }

    /** Everything up to the end of the ladder, in the order of the starts. */
    List<Read> readAll() throws InterruptedException {
        Objects.requireNonNull(ladder).awaitEnd();
        List<Read> all = new ArrayList<>();
        for (Reading each : readings) {
            each.thread.join();
            all.add(new Read(each.name, List.copyOf(each.timelines), List.copyOf(each.units)));
        }
        return all;
    }

    Read find(String name) throws InterruptedException {
        return find(name, readAll());
    }

    Read find(String name, List<Read> read) {
        return read.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    /** Names in the order of the starts; those of one start with the largest first. */
    List<String> startedBySize() {
        List<String> names = new ArrayList<>(readings.stream().map(each -> each.name).toList());
        names.subList(0, 2).sort(Comparator.reverseOrder());
        return names;
    }

    void awaitStarts(int count) throws InterruptedException {
        await(() -> readings.size() >= count);
    }

    void awaitUnits(String name, int count) throws InterruptedException {
        await(
                () ->
                        readings.stream()
                                .anyMatch(
                                        each ->
                                                each.name.equals(name)
                                                        && each.units.size() >= count));
    }

    void awaitDrops(int count) throws InterruptedException {
        await(() -> dropped.size() >= count);
    }

    void awaitRefusals(int count) throws InterruptedException {
        await(() -> refused.size() >= count);
    }

    private synchronized void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            wait();
        }
    }

    private synchronized void changed() {
        notifyAll();
    }

    @Override
    public void started(RenditionFormat format, FeedReader units) {
        readings.add(new Reading(format.name(), units));
        changed();
    }

    @Override
    public void ended(RenditionFormat format) {
        ended.add(format.name());
    }

    @Override
    public void dropped(RenditionFormat format, String reason) {
        dropped.add(format.name());
        reasons.add(reason);
        changed();
    }

    @Override
    public void leftOut(int height, Ladder.Source source) {
        leftOut.add(height);
    }

    @Override
    public Set<Integer> provided() {
        if (fails) {
            throw new IllegalStateException("for the test");
        }
        return provided;
    }

    @Override
    public Set<String> late() {
        return late;
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        refused.add(cause);
        changed();
    }
}
