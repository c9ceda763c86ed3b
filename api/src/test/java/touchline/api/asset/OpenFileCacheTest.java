package touchline.api.asset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import touchline.api.asset.AssetPlaybackIds.Playable;
import touchline.api.domain.AssetId;
import touchline.api.domain.Mp4Support;
import touchline.api.domain.PlaybackPolicy;
import touchline.media.SessionId;

final class OpenFileCacheTest {
    private final AtomicInteger opened = new AtomicInteger();

    private static Playable asset(String id) {
        return new Playable(
                new AssetId(id),
                PlaybackPolicy.PUBLIC,
                /* live= */ false,
                Mp4Support.NONE,
                Path.of(id),
                new SessionId(id),
                /* joined= */ false);
    }

    @Test
    void get_manyAtOnce_opensOnceOnAnotherThread() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        OpenFileCache<String> once =
                new OpenFileCache<>(
                        asset -> {
                            go.await();
                            return asset.asset() + "-" + opened.incrementAndGet();
                        });
        CompletableFuture<String> first = once.get(asset("a"));
        CompletableFuture<String> second = once.get(asset("a"));
        go.countDown();

        assertEquals("a-1", first.join());
        assertSame(first, second);
        assertEquals("a-2", once.fresh(asset("a")).join(), "what grows is read anew");
        assertEquals("a-1", once.get(asset("a")).join());
    }

    @Test
    void get_openerFails_failsAndIsTriedAgain() {
        OpenFileCache<Integer> once =
                new OpenFileCache<>(
                        _ -> {
                            if (opened.incrementAndGet() == 1) {
                                throw new IOException("disk");
                            }
                            return opened.get();
                        });
        Playable asset = asset("a");

        CompletionException failure =
                assertThrows(CompletionException.class, () -> once.get(asset).join());
        assertInstanceOf(IOException.class, failure.getCause());
        assertEquals(2, once.get(asset).join());
    }

    @Test
    void get_moreThanAreKept_removesTheLeastRecentlyUsed() {
        OpenFileCache<Integer> once = new OpenFileCache<>(_ -> opened.incrementAndGet());
        CompletableFuture<Integer> first = once.get(asset("first"));
        CompletableFuture<Integer> second = once.get(asset("second"));
        for (int i = 2; i < OpenFileCache.MAX_KEPT; i++) {
            once.get(asset("a" + i)).join();
        }
        assertSame(first, once.get(asset("first")), "used again");
        once.get(asset("one-more")).join();

        assertSame(first, once.get(asset("first")));
        assertNotSame(second, once.get(asset("second")));
    }

    @Test
    void remove_isOpenedAgain() {
        OpenFileCache<Integer> once = new OpenFileCache<>(_ -> opened.incrementAndGet());
        assertEquals(1, once.get(asset("a")).join());
        once.remove(new AssetId("a"));
        assertEquals(2, once.get(asset("a")).join());
    }
}
