package touchline.api.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modules of the watch page, each by itself, in a real browser. */
class WatchModulesIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    @TempDir private static Path folder;

    private static TestServer server;
    private static TestBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(folder, Map.of());
        browser = TestBrowser.start();
        JsonNode stream = server.createStream("{}");
        browser.open(server.playback(stream.at("/playback_ids/0/id").asText()).toString());
        browser.await("document.getElementById('player').dataset.says === 'idle'", SOON);
    }

    @AfterAll
    static void stop() throws Exception {
        browser.close();
        server.close();
    }

    /** Pauses of the page's player, by a clock of the test. */
    @Test
    void attemptsOfThePlayer_becomeRarer_untilItHasPlayedForAWhile() throws Exception {
        JsonNode pauses =
                browser.evaluate(
                        """
                        import(document.querySelector('[href$="/playback.js"]').href).then((module) => {
                          let seconds = 0;
                          const recovery = new module.Recovery(() => seconds * 1000);
                          const pauses = [];
                          const failAt = (at) => {
                            seconds = at;
                            pauses.push(recovery.pause());
                          };
                          recovery.playing();
                          [15, 16, 30, 60, 100, 200].forEach(failAt);
                          recovery.playing();
                          failAt(205);
                          recovery.playing();
                          failAt(220);
                          return pauses.join();
                        })""");
        assertEquals("500,1000,2000,4000,8000,8000,8000,500", pauses.asText());
    }

    /**
     * What the page requests before hls.js does: the last GOP before the hold-back, up to the edge.
     */
    @Test
    void firstMedia_beginsWithTheKeyFrameBeforeTheHoldBack() throws Exception {
        JsonNode found =
                browser.evaluate(
                        """
                        import(document.querySelector('[src$="/early.js"]').src).then(({ firstMedia }) => {
                          const control = '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.000\\n';
                          const map = '#EXT-X-MAP:URI="init1.mp4"\\n';
                          const part = (number, key = '') => `#EXT-X-PART:DURATION=0.5,URI="s${number}.m4s"${key}\\n`;
                          const key = ',INDEPENDENT=YES';
                          return [
                            control + map + part(0, key) + part(1) + part(2, key) + part(3) + part(4) + part(5, key) + part(6),
                            control + map + part(0, key) + part(1, key),
                            control + map + part(0) + part(1) + part(2),
                            '#EXT-X-MAP:URI="init0.mp4"\\n#EXTINF:4,\\ns0.m4s\\n#EXT-X-DISCONTINUITY\\n' + map + '#EXTINF:4,\\ns1.m4s\\n',
                            '#EXT-X-PLAYLIST-TYPE:VOD\\n#EXT-X-MAP:URI="init0.mp4"\\n#EXTINF:4,\\ns0.m4s\\n' + map + '#EXTINF:4,\\ns1.m4s\\n',
                          ].map((playlist) => firstMedia(playlist).join(' ')).join('; ');
                        })""");
        assertEquals(
                "init1.mp4 s5.m4s s6.m4s; init1.mp4 s0.m4s s1.m4s; init1.mp4; init1.mp4; init0.mp4"
                        + " s0.m4s",
                found.asText());
    }

    /** As many as there is media; one that ended before it was known is shown late, but once. */
    @Test
    void captions_areKeptAsLongAsTheirMedia() throws Exception {
        JsonNode texts =
                browser.evaluate(
                        """
                        import(document.querySelector('[href$="/captions.js"]').href).then((module) => {
                          const real = document.createElement('video');
                          const seeks = new EventTarget();
                          const video = {
                            currentTime: 0,
                            buffered: { length: 1, start: () => video.from },
                            from: 0,
                            addTextTrack: (...of) => real.addTextTrack(...of),
                            addEventListener: (...of) => seeks.addEventListener(...of),
                          };
                          const listeners = new Map();
                          const events = { NON_NATIVE_TEXT_TRACKS_FOUND: 'found', CUES_PARSED: 'cues' };
                          const captions = new module.Captions(video);
                          captions.follow({ on: (name, listener) => listeners.set(name, listener) }, { Events: events });
                          const parsed = (start, end, text) => {
                            const cue = Object.assign(new VTTCue(start, end, text), { id: text });
                            listeners.get('cues')('cues', { track: 'textTrack1', cues: [cue] });
                          };
                          const find = () => listeners.get('found')('found', {
                            tracks: [{ _id: 'textTrack1', kind: 'captions', label: 'English' }],
                          });
                          const seen = [];
                          const see = () => seen.push(captions.tracks.map((track) => track.label + ': '
                            + [...track.cues].map((cue) => `${cue.text} ${cue.startTime}-${cue.endTime}`).join()).join());
                          parsed(0, 1, 'before the track');
                          find();
                          parsed(1, 3, 'one');
                          parsed(1, 3, 'one');
                          see();
                          video.currentTime = 7;
                          parsed(4, 6, 'late');
                          see();
                          seeks.dispatchEvent(new Event('seeking'));
                          video.from = 5;
                          parsed(5, 6, 'past');
                          see();
                          captions.clear();
                          see();
                          find();
                          see();
                          return seen.join(' | ') + ' | ' + real.textTracks.length;
                        })""");
        assertEquals(
                "CC1: one 1-3 | CC1: one 1-3,late 7-9 | CC1: past 5-6,late 7-9 |  | CC1:  | 1",
                texts.asText());
    }

    /**
     * A request that gets no reply, or only the head of one, does not keep hls.js from its own. By
     * timers of the test; those of the page are shorter.
     */
    @Test
    void earlyRequest_withoutAReply_isSentAgainByThePlayer() throws Exception {
        JsonNode seen =
                browser.evaluate(
                        """
                        (async () => {
                          const real = { fetch, setTimeout, clearTimeout };
                          const data = document.documentElement.dataset;
                          const playlist = data.playlist;
                          const timers = new Map();
                          const tick = () => new Promise((done) => real.setTimeout.call(window, done));
                          window.setTimeout = (run, ms) => {
                            if (ms < 4000) {
                              return real.setTimeout.call(window, run, ms);
                            }
                            timers.set(run, ms);
                            return run;
                          };
                          window.clearTimeout = (id) => timers.delete(id) || real.clearTimeout.call(window, id);
                          const never = (signal) => new Promise((_, fail) =>
                            signal?.addEventListener('abort', () => fail(signal.reason)));
                          window.fetch = (address, options) => {
                            if (address.includes('/silent')) {
                              return never(options.signal);
                            }
                            return address.includes('/stalled')
                              ? Promise.resolve({ ok: true, url: address, text: () => never(options.signal) })
                              : real.fetch.call(window, address, options);
                          };
                          const seen = [];
                          try {
                            for (const path of ['/silent.m3u8', '/stalled.m3u8']) {
                              timers.clear();
                              data.playlist = path;
                              const { earlyLoader } = await import(document.querySelector('[src$="/early.js"]').src + '?' + path);
                              const sent = [];
                              const Loader = earlyLoader(class { load({ url }) { sent.push(new URL(url).pathname); } });
                              new Loader().load({ url: new URL(path, location.href).href }, {}, {});
                              await tick();
                              const before = sent.join();
                              const seconds = [...timers.values()].map((ms) => Math.round(ms / 1000)).sort((a, b) => a - b);
                              [...timers.keys()].forEach((run) => run());
                              await tick();
                              seen.push([before, seconds.join(), sent.join()].join('|'));
                            }
                          } finally {
                            Object.assign(window, real);
                            data.playlist = playlist;
                          }
                          return seen.join(' ');
                        })()""");
        assertEquals("|4,10|/silent.m3u8 |4,20|/stalled.m3u8", seen.asText());
    }
}
