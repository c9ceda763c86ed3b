package touchline.overlay.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import touchline.media.net.AddressRules;
import touchline.media.worker.EmptyNetwork;
import touchline.overlay.page.BrowserLaunch.Kind;

/**
 * A browser that obeys its attacker: none of the settings that send pages through their proxies, as
 * if code had taken over its process. Only its network holds it.
 */
@Timeout(480)
class TakenOverBrowserIT {
    private static final Duration SOON = Duration.ofMinutes(3);
    private static final Set<String> ALL = Set.of("address", "name", "udp");

    /** Asks a STUN server, as a DNS server would be asked: a datagram to an address. */
    private static final String DATAGRAM =
            """
            (async () => {
              window.peer = new RTCPeerConnection({iceServers: [{urls: 'stun:%s'}]});
              peer.createDataChannel('x');
              await peer.setLocalDescription(await peer.createOffer());
              return peer.signalingState;
            })()""";

    private final Set<String> arrived = new ConcurrentSkipListSet<>();

    /** Whether the host permits network namespaces, as {@code unshare} answers. */
    static boolean networksPermitted() throws IOException, InterruptedException {
        for (List<String> each :
                List.of(
                        List.of("unshare", "--net", "true"),
                        List.of("unshare", "--user", "--map-current-user", "--net", "true"))) {
            if (new ProcessBuilder(each).start().waitFor() == 0) {
                return true;
            }
        }
        return false;
    }

    @Test
    void browser_inTheServersNetwork_reachesEverything() throws Exception {
        attack(launch());
        assertEquals(ALL, new TreeSet<>(arrived));
    }

    @Test
    void browser_inItsOwnNetwork_reachesItsPagesProxy_andNothingElse() throws Exception {
        boolean permitted = false;
        for (EmptyNetwork each : launch().networks(BrowserUser.needed())) {
            try {
                attack(launch().in(each));
                permitted = true;
                break;
            } catch (NetworkRefusedException _) {
                // The next one, as the server does it.
            }
        }
        assertEquals(networksPermitted(), permitted);
        assertEquals(Set.of(), arrived);
    }

    /** Without all settings that protect the network. */
    private static BrowserLaunch launch() throws InterruptedException {
        BrowserLaunch launch =
                new BrowserChoice(TestRenderer.config(Kind.HEADLESS_SHELL, TestRenderer.LIMITS))
                        .launch();
        return launch.without(launch.flags());
    }

    private void attack(BrowserLaunch launch) throws Exception {
        boolean holds = launch.network().isPresent();
        try (ServerSocket address = listener("127.0.0.2");
                ServerSocket name = listener("127.0.0.1");
                DatagramSocket udp = new DatagramSocket(address.getLocalSocketAddress());
                Browser browser = Browser.start(launch);
                BrowserPage sender = browser.openPage();
                BrowserPage page = browser.openPage()) {
            Thread.ofVirtual().start(() -> accept(address, "address"));
            Thread.ofVirtual().start(() -> accept(name, "name"));
            Thread.ofVirtual().start(() -> receive(udp));
            String inside = "127.0.0.2:" + address.getLocalPort();

            assertEquals("have-local-offer", sender.evaluate(DATAGRAM.formatted(inside)).asText());
            navigate(page, "http://" + inside);
            navigate(page, "http://localhost:" + name.getLocalPort());
            if (holds) {
                assertAllowedPageIsShown(browser);
                String routes =
                        Files.readString(
                                Path.of("/proc/%d/net/route".formatted(browser.process().pid())));
                assertEquals(1, routes.lines().count(), routes);
            } else {
                awaitAll();
            }
        }
    }

    private static void assertAllowedPageIsShown(Browser browser) throws Exception {
        FilteringProxy.Dependencies only =
                new FilteringProxy.Dependencies(
                        AddressRules.allowing(List.of("127.0.0.1")),
                        host -> {
                            throw new UnknownHostException(host);
                        },
                        Map.of());
        try (PageSite site = new PageSite().page("/", "<title>shown</title>");
                FilteringProxy proxy = FilteringProxy.open("stream-1", only, TestRenderer.LIMITS)) {
            String context =
                    browser.call(
                                    "",
                                    "Target.createBrowserContext",
                                    Map.of(
                                            "proxyServer",
                                            browser.admit(proxy.port(), proxy.maxConnections()),
                                            "proxyBypassList",
                                            "<-loopback>"))
                            .path("browserContextId")
                            .asText();
            String target =
                    browser.call(
                                    "",
                                    "Target.createTarget",
                                    Map.of("url", "about:blank", "browserContextId", context))
                            .path("targetId")
                            .asText();
            String session =
                    browser.call(
                                    "",
                                    "Target.attachToTarget",
                                    Map.of("targetId", target, "flatten", true))
                            .path("sessionId")
                            .asText();
            try (BrowserPage page = BrowserPage.open(browser, target, session)) {
                page.navigate(site.url("/"));
                page.await("document.title === 'shown'", SOON);
            }
        }
    }

    /** A listener that drops the connection makes the load fail. */
    private static void navigate(BrowserPage page, String address) throws InterruptedException {
        try {
            page.navigate(address);
        } catch (DevToolsException _) {
            // Both: that it does not arrive, and that nothing answers.
        }
    }

    private static ServerSocket listener(String address) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
        return socket;
    }

    private void awaitAll() throws InterruptedException {
        long deadlineNs = System.nanoTime() + SOON.toNanos();
        while (!arrived.containsAll(ALL) && System.nanoTime() < deadlineNs) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private void accept(ServerSocket server, String what) {
        while (!server.isClosed()) {
            try (Socket _ = server.accept()) {
                arrived.add(what);
            } catch (IOException _) {
                return; // The test is over.
            }
        }
    }

    private void receive(DatagramSocket socket) {
        try {
            socket.receive(new DatagramPacket(new byte[2048], 2048));
            arrived.add("udp");
        } catch (IOException _) {
            // The test is over.
        }
    }
}
