un %% <x> </x>
